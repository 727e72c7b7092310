int main()
{
    int a = 1 – 2; //~ error
    int b = 3 @ 4; //~ error
    int c = a + b;
    return c ` 2; //~ error
}
