// Counts in shared memory, which are then added to those of all blocks.
#define BINS 32

__global__ void histogram(const unsigned char *in, unsigned *out, int n)
{
    __shared__ unsigned bins[BINS];
    int t = threadIdx.x;
    for (int i = t; i < BINS; i += BLOCK)
        bins[i] = 0; // plant
    __syncthreads(); // plant
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK)
        atomicAdd(&bins[in[i] % BINS], 1);
    __syncthreads(); // plant
    for (int i = t; i < BINS; i += BLOCK)
        atomicAdd(&out[i], bins[i]);
}

int main()
{
    unsigned char *in, h[2000];
    unsigned *out;
    for (int i = 0; i < 2000; i++)
        h[i] = 13 * i;
    cudaMalloc(&in, 2000);
    cudaMalloc(&out, BINS * sizeof(unsigned));
    cudaMemcpy(in, h, 2000, cudaMemcpyHostToDevice); // plant
    cudaMemset(out, 0, BINS * sizeof(unsigned)); // plant
    histogram<<<BLOCKS, BLOCK>>>(in, out, 2000);
    cudaFree(in);
    cudaFree(out);
}
