int main()
{
    int a = 1 + ; //~ error
    int b = * 2 3; //~ error
    a = ; //~ error
    if () //~ error
        a = 2;
    int c[3] = {1, , 2}; //~ error
    return a + b + c[];  //~ error
}
