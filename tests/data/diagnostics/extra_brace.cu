int f(int a)
{
    return a;
}
} //~ error

int main()
{
    return f(undeclared); //~ error
}
