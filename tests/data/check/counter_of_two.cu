// Kernels of two streams count in one place; one of them without an atomic.
__device__ int count;

__global__ void count_all(const int *x)
{
#ifdef FIXED
    atomicAdd(&count, x[threadIdx.x]);
#else
    if (threadIdx.x == 0) count += x[0];
#endif
}

__global__ void count_some(const int *x)
{
    atomicAdd(&count, x[threadIdx.x]);
}

int main()
{
    int *x;
    cudaStream_t streams[2];
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&streams[i]);
    int i = 0;
    count_all<<<1, 32, 0, streams[i++]>>>(x);
    count_some<<<1, 32, 0, streams[i++]>>>(x);
    for (i = 0; i < 2; i++) cudaStreamSynchronize(streams[i]);
    for (i = 0; i < 2; i++) cudaStreamDestroy(streams[i]);
    cudaFree(x);
}
