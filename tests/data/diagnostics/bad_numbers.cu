int main()
{
    int a = 09; //~ error
    int b = 12abc; //~ error
    int c = 0x; //~ error
    float d = 1.5e; //~ error
    int e = 0b102; //~ error
    unsigned long long f = 99999999999999999999999; //~ error
    float g = 1.0q; //~ error
    int h = 0xFFu + 1e3 + .5f + 0b101 + 017;
    return a + b + c + d + e + f + g + h;
}
