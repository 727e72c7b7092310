const int limit = 5;
__constant__ int table[4];

struct point {
    int x, y;
};

struct point make() { struct point p = {1, 2}; return p; }

__global__ void k(const int *in, int *const out, const struct point p)
{
    in[0] = 1; //~ error
    out = 0; //~ error
    out[0] = 2;
    table[1] = 3; //~ error
    threadIdx.x = 4; //~ error
    p.x = 5; //~ error
}

int main()
{
    int a = 1, b[3] = {1, 2, 3};
    a + 1 = 3; //~ error
    5++; //~ error
    limit = 6; //~ error
    limit += 1; //~ error
    b = 0; //~ error
    int *p = &(a + 1); //~ error
    a++ = 2; //~ error
    make().x = 3; //~ error
    const int c = 3;
    c--; //~ error
    *&a = 4;
    (a) = 5;
    return a + b[0] + *p;
}
