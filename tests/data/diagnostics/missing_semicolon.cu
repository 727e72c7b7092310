struct point {
    int x, y;
} //~ error

int a = 1 //~ error
int b = 2;

int main()
{
    int c = a + b //~ error
    c++;
    a = 3 //~ error
    if (c)
        b = 4 //~ error
    else
        b = 5;
    do
        c--;
    while (c > 0) //~ error
    return c //~ error
}
