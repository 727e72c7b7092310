// A thread reads what another one copies. That thread waits for its copy, but the barrier is in front of the wait; and the next
// copies overwrite what others may still read.
#include <cuda_pipeline.h>

__global__ void k(const int *in, int *out)
{
    __shared__ int tile[128];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&tile[t], in + 128 * i + t, 4);
        __pipeline_commit();
#ifdef FIXED
        __pipeline_wait_prior(0);
        __syncthreads();
#else
        __syncthreads();
        __pipeline_wait_prior(0);
#endif
        sum += tile[127 - t];
#ifdef FIXED
        __syncthreads();
#endif
    }
    out[t] = sum;
}

int main()
{
    int *a, *b;
    cudaMalloc(&a, 256 * sizeof(int));
    cudaMalloc(&b, 128 * sizeof(int));
    cudaMemset(a, 1, 256 * sizeof(int));
    k<<<1, 128>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
