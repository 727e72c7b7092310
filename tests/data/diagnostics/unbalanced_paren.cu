int f(int a, int b)
{
    return (a + (b * 2); //~ error
}

int g(int a)
{
    int x[3] = {1, 2, 3};
    return x[a + 1; //~ error
}

int main()
{
    return f(1, 2)) + g(1); //~ error
}
