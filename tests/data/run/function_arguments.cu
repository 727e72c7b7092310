// Functions as arguments of templates.
#include <stdio.h>
typedef float (*reduction)(float, float);
using step = int (*)(int);

__host__ __device__ float sum(float a, float b) { return a + b; }
__host__ __device__ float largest(float a, float b) { return a > b ? a : b; }
__host__ __device__ int next(int a) { return a + 1; }
__host__ __device__ float next(float a) { return a + 0.5f; }
template <class T> __host__ __device__ T twice(T a) { return 2 * a; }

template <reduction f> __host__ __device__ float over(const float *x, int n)
{
    float r = x[0];
    for (int i = 1; i < n; i++)
        r = f(r, x[i]);
    return r;
}
template <reduction f> __host__ __device__ float over(const float *x) { return over<f>(x, 4); }
template <step f, int n> __host__ __device__ int times(int a)
{
    for (int i = 0; i < n; i++)
        a = f(a);
    return a;
}
template <float (*f)(float)> struct applied
{
    __host__ __device__ static float to(float a) { return f(f(a)); }
};

template <int (*f)(int)> __global__ void kernel(const float *x, float *out)
{
    out[0] = over<sum>(x, 3);
    out[1] = over<&largest>(x);
    out[2] = times<f, 3>(5);
    out[3] = times<twice<int>, 4>(1) + applied<next>::to(1);
}

int main()
{
    float *x, *out;
    cudaMallocManaged(&x, 4 * sizeof(float));
    cudaMallocManaged(&out, 4 * sizeof(float));
    for (int i = 0; i < 4; i++)
        x[i] = 1.5f * i + 1;
    kernel<next><<<1, 1>>>(x, out);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
    kernel<twice><<<1, 1>>>(x, out);
    cudaDeviceSynchronize();
    printf("%g %g\n", out[2], over<sum>(x));
    return 0;
}

// out: 7.5 5.5 8 18
// out: 40 13
