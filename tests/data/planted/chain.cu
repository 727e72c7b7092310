// Blocks pass a running sum on through flags.
__global__ void chain(const T *in, T *sums, volatile int *flags)
{
    __shared__ T before;
    int t = threadIdx.x, b = blockIdx.x;
    if (t == 0) {
        before = 0; // plant
        if (b > 0) {
            while (flags[b - 1] == 0); // plant
            before = sums[b - 1];
        }
        sums[b] = before + in[b]; // plant
        __threadfence(); // plant
        flags[b] = 1;
    }
}

int main()
{
    T *in, *sums;
    int *flags;
    cudaMalloc(&in, BLOCKS * sizeof(T));
    cudaMalloc(&sums, BLOCKS * sizeof(T));
    cudaMalloc(&flags, BLOCKS * sizeof(int));
    cudaMemset(in, 0, BLOCKS * sizeof(T)); // plant
    cudaMemset(flags, 0, BLOCKS * sizeof(int)); // plant
    chain<<<BLOCKS, BLOCK>>>(in, sums, flags);
    cudaFree(in);
    cudaFree(sums);
    cudaFree(flags);
}
