#include <stdlib.h>

struct point {
    int x, y;
};

int *pointer(float *p)
{
    return p; //~ error
}

float take(float *p, int n) { return p[n]; }

struct point make()
{
    return 1; //~ error
}

int main()
{
    float f = 1.5f, *p = &f;
    int *q = p; //~ error
    q = 5; //~ error
    int n = p; //~ error
    struct point a, b;
    a = 3; //~ error
    n = a; //~ error
    p = malloc(4); //~ error
    p = (float *)malloc(4);
    p = 0;
    void *v = p;
    f = take(q, 1); //~ error
    f = take(&f, &f); //~ error
    f = take(p, 1.5);
    const float *c = p;
    p = c; //~ error
    b = a;
    q = pointer(p);
    return n + (int)f + b.x + *q + (v == c);
}
