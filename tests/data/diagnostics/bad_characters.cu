int main()
{
    char a = ''; //~ error
    char b = 'ab'; //~ error
    char c = '\q'; //~ error
    const char *d = "tab\t hex\x41 octal\101";
    char e = '\x'; //~ error
    const char *f = "gr�n"; //~ error
    return a + b + c + d[0] + e;
}
