// What CUDA 13 has removed; a program may have functions of these names.
// options: --cuda 13
#include <stdio.h>
__device__ int all(int x) { return x; }
__device__ int __shfl_up(int x, int by) { return __shfl_up_sync(0xffffffff, x, by); }
__global__ void k(int *out, int n)
{
    out[0] = __shfl(n, 1); //~ error
    out[1] = __any(n) + all(n) + __shfl_up(n, 1); //~ error
    out[2] = __popc(__ballot(n)); //~ error
}

int main()
{
    cudaThreadSynchronize(); //~ error
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("%d %d\n", properties.clockRate, properties.warpSize); //~ error
    int *d;
    cudaMallocManaged(&d, 4);
    cudaMemPrefetchAsync(d, 4, 0); //~ error
    cudaThreadExit(); //~ error
}
