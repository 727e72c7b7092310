// A fault in a macro's text is shown where the macro is used.
#define SQUARE(x) ((x) * (y))
#define HALF(x) ((x) / 2)

int main()
{
    int a = SQUARE(3); //~ error
    int b = HALF(undeclared); //~ error
    return a + b;
}
