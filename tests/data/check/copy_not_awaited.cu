// A thread reads what it copies before its group has arrived: the wait leaves the last group pending.
#include <cuda_pipeline.h>

__global__ void k(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], in + t, 4);
    __pipeline_commit();
#ifdef FIXED
    __pipeline_wait_prior(0);
#else
    __pipeline_wait_prior(1);
#endif
    out[t] = tile[t];
}

int main()
{
    int *a, *b;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    cudaMemset(a, 1, 64 * sizeof(int));
    k<<<1, 64>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
