struct plain {
    int x, y;
};
struct holder {
    plain a, b;
    int row[2];
    holder() : a(1, 2), b{1, 2}, row{1, 2} {} //~ error
    holder(int x) : a{x, x}, b(x), row(x) {} //~ error
};
plain outside(1, 2); //~ error
__device__ float4 colour(float x) { return float4(x, x, x, x); } //~ error

int main()
{
    plain a = plain(1); //~ error
    plain b = plain(1, 2); //~ error
    plain c(1, 2); //~ error
    plain *d = new plain(1, 2); //~ error
    plain e = (plain)1; //~ error
    dim3 grid = dim3(1, 2);
    plain f = plain(plain{1, 2}), g = plain();
    return a.x + b.x + c.x + d->x + e.x + f.x + g.x + (int)grid.x;
}
