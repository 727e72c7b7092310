struct point {
    int x, y;
};

__global__ void k(struct point *p, int *n)
{
    p->z = 1; //~ error
    p.x = 2; //~ error
    n->x = 3; //~ error
    n[0].x = 4; //~ error
    n[1] = threadIdx.w; //~ error
}

int main()
{
    struct point p;
    p->x = 1; //~ error
    dim3 grid(1, 2);
    grid.width = 3; //~ error
    int a = 5;
    a.x = 6; //~ error
    return p.x + grid.x;
}
