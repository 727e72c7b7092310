// Built-in functions on a side on which nvcc has none: an error in device code, a warning where the other side may call them too.
#include <math.h>
#include <string.h>
#include <strings.h>

__global__ void on_the_device(int *p, float *f, long long *l, double *d)
{
    p[0] = ffs(p[1]) + __ffs(p[1]); //~ error
    p[2] = ffsll(l[0]) + __ffsll(l[0]); //~ error
    p[3] = isless(f[0], f[1]); //~ error
    p[4] = isgreaterequal(d[0], 1) + islessgreater(1.0f, f[0]); //~ error
    p[5] = isunordered(d[0], d[1]); //~ error
    p[6] = isnormal(f[0]); //~ error
    p[7] = isnan(f[0]) + isinf(d[0]) + isfinite(f[0]) + signbit(d[0]);
    memmove(p, p + 1, 8); //~ error
    memcpy(p, p + 8, 8);
    __assume(p[0] > 0); //~ error
    __builtin_assume(p[0] > 0);
}

__host__ __device__ float on_both(float x)
{
    int n = ffs((int)x);
    return isless(x, 2.0f) ? __expf(x) : expf(x) + n;
}

float on_the_host(float x)
{
    __builtin_assume(x > 0);
    double p[] = {1, 2};
    return __sinf(x) + sinf(x) + rhypotf(x, 1) + norm3df(x, 1, 1) + (float)norm(2, p) + ffs(3) + isless(x, 1.0f);
}

// A program may have its own.
namespace own {
__host__ __device__ int ffs(int x) { return x & -x; }
__device__ int lowest(int x) { return ffs(x); }
}
