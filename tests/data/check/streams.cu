// A kernel in one stream uses what a kernel in another stream makes; nothing lets the second stream wait.
__global__ void make(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

__global__ void use(const int *x, int *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

int main()
{
    int *x, *y;
    cudaStream_t first, second;
    cudaEvent_t made;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMalloc(&y, 32 * sizeof(int));
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&made);
    make<<<1, 32, 0, first>>>(x);
    cudaEventRecord(made, first);
#ifdef FIXED
    cudaStreamWaitEvent(second, made, 0);
#endif
    use<<<1, 32, 0, second>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(made);
}
