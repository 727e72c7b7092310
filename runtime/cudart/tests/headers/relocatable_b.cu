// The other file of `relocatable_a.cu`.

#include <cstdio>
#include <cuda_runtime.h>

__device__ int total = 5;
__constant__ int scale = 10;

template <class T> __device__ __noinline__ T same(T x) { return x; }
static __device__ int own = 100;
static __device__ __noinline__ int local(int x) { return same(x) + own; }

__device__ int twice(int x) { return 2 * x + local(0); }

__global__ void store(int *out)
{
    *out = total;
    printf("%s %d\n", "b", *out);
}

static __global__ void mine(int *out) { *out = own + 1; }

int of_other(int *out)
{
    int value = 0;
    mine<<<1, 1>>>(out);
    return cudaMemcpyFromSymbol(&value, own, sizeof value) != cudaSuccess || value != 100;
}
