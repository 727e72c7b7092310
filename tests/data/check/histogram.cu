// Atomics in shared memory, which are read without a barrier.
__global__ void histogram(const unsigned char *in, unsigned *out)
{
    __shared__ unsigned bins[64];
    int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    for (int i = t; i < 1024; i += 64)
        atomicAdd(&bins[in[i] % 64], 1);
#ifdef FIXED
    __syncthreads();
#endif
    out[t] = bins[t];
}

int main()
{
    unsigned char h[1024];
    for (int i = 0; i < 1024; i++)
        h[i] = 7 * i;
    unsigned char *in;
    unsigned *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 64 * sizeof(unsigned));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    histogram<<<1, 64>>>(in, out);
    cudaFree(in);
    cudaFree(out);
}
