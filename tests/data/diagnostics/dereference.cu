struct point {
    int x;
};

int main()
{
    int a = 1, *p = &a;
    float f = 2;
    struct point s = {1};
    void *v = p;
    a = *a; //~ error
    a = **p; //~ error
    a = a[3]; //~ error
    a = f[a]; //~ error
    a = p[f]; //~ error
    a = *v; //~ error
    a = *s; //~ error
    a = s[0]; //~ error
    a = 0[p];
    if (s) //~ error
        a = 2;
    while (s) //~ error
        a = 3;
    a = s ? 1 : 2; //~ error
    a = !s; //~ error
    switch (f) { //~ error
    default:
        break;
    }
    a = 1 ? p : f; //~ error
    f = (float)p; //~ error
    s = (struct point)a; //~ error
    return a;
}
