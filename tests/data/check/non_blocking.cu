// A stream that does not wait for the default stream: neither for the fill before, nor does the kernel after wait for it.
__device__ int total;

__global__ void add(const int *x)
{
    total += x[0];
}

int main()
{
    int *x;
    cudaStream_t stream;
    cudaMalloc(&x, 16);
#ifdef FIXED
    cudaStreamCreate(&stream);
#else
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#endif
    cudaMemset(x, 0, 16);
    add<<<1, 1, 0, stream>>>(x);
    add<<<1, 1>>>(x);
    cudaStreamSynchronize(stream);
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    cudaFree(x);
}
