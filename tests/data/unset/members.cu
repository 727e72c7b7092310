// Members of structures in registers: read without a value always and on some ways; copied whole without being read.
struct Inner {
    float at, by;
};

struct Outer {
    int count;
    Inner inner;
};

__device__ Outer pass(Outer given)
{
    return given;
}

__global__ void members(float *out, int n)
{
    Outer one, two;
    one.count = n;
    two = pass(one);
    if (n > 4)
        one.inner.by = 2;
    out[0] = two.count + one.inner.by;
    float2 pair;
    pair.x = 1;
    out[1] = pair.x + pair.y;
}
