// Blocks count in one place by atomics that are atomic for the threads of one block only.
#ifdef FIXED
#define COUNT atomicAdd
#else
#define COUNT atomicAdd_block
#endif

__global__ void count(const int *in, int *counts, int *in_blocks)
{
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    COUNT(&counts[value & 3], 1);
    // Each block has its own.
    atomicAdd_block(&in_blocks[blockIdx.x], atomicAdd(&counts[4], 1) >= 0);
}

int main()
{
    int *in, *counts, *in_blocks;
    cudaMalloc(&in, 256 * sizeof(int));
    cudaMalloc(&counts, 5 * sizeof(int));
    cudaMalloc(&in_blocks, 4 * sizeof(int));
    cudaMemset(in, 0, 256 * sizeof(int));
    cudaMemset(counts, 0, 5 * sizeof(int));
    cudaMemset(in_blocks, 0, 4 * sizeof(int));
    count<<<4, 64>>>(in, counts, in_blocks);
    cudaFree(in);
    cudaFree(counts);
    cudaFree(in_blocks);
}
