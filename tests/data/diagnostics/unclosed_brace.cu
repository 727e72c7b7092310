int f(int a)
{
    return a;
}

int main()
{ //~ error
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        sum += f(i);
    }
    return sum;
