struct point {
    int x, y;
};

int main()
{
    float f = 1.5f;
    double d = 2.5;
    int n = 3, *p = &n, *q = &n;
    struct point a = {1, 2}, b = {3, 4};
    f = f % 2; //~ error
    n = n & d; //~ error
    n = n << f; //~ error
    n = ~f; //~ error
    p = p + q; //~ error
    n = p * 2; //~ error
    p = p + 1.5; //~ error
    n = a + b; //~ error
    n = a == b; //~ error
    n = -p; //~ error
    n = p - q;
    n = p == &f; //~ error
    n %= 2.0f; //~ error
    n += 2.0f;
    n = !p + (p < q);
    return n;
}
