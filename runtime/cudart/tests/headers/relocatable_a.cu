// With `relocatable_b.cu`: kernels, functions, variables and templates of two files. Both have names of their own that are
// the same.

#include <cstdio>
#include <cuda_runtime.h>

extern __device__ int total;
extern __constant__ int scale;
__device__ int twice(int x);
__global__ void store(int *out);

template <class T> __device__ __noinline__ T same(T x) { return x; }
static __device__ int own = 3;
static __device__ __noinline__ int local(int x)
{
    printf("%s %d\n", "a", x);
    return x + own;
}

__global__ void scaled(int *out)
{
    int value = same(twice(threadIdx.x)) + local(1);
    out[threadIdx.x] = value * scale;
    atomicAdd(&total, 1);
}

static __global__ void mine(int *out) { *out = own; }
int of_other(int *out);

int main()
{
    int *out, faults = 0;
    cudaMallocManaged(&out, 5 * sizeof(int));
    scaled<<<1, 4>>>(out);
    store<<<1, 1>>>(out + 4);
    faults += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 4; i++)
        faults += out[i] != 10 * (2 * i + 100 + 4);
    faults += out[4] != 9;
    int value = 8;
    faults += cudaMemcpyToSymbol(own, &value, sizeof value) != cudaSuccess;
    mine<<<1, 1>>>(out);
    faults += of_other(out + 1);
    faults += cudaDeviceSynchronize() != cudaSuccess || out[0] != 8 || out[1] != 101;
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
