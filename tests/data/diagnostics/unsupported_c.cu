struct flags {
    unsigned low : 33; //~ error
    unsigned rest;
};

void variadic(int n, ...) {} //~ error

int apply(int (*f)(int), int x) { return f(x); } //~ error

int main()
{
    int i = 0;
    i++;
    asm("nop"); //~ error
    long double wide = 1; //~ error
    cin >> wide; //~ error
    system("ls"); //~ error
    getopt_long(i, 0, 0, 0, 0); //~ error: library function
    return i;
}
