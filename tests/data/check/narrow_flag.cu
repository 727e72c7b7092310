// A warp tells another of its block, and others of other blocks, that its value is there; the atomic that says so is for the block only.
__device__ int flags[2];

#ifdef FIXED
#define SET atomicExch
#else
#define SET atomicExch_block
#endif

__global__ void pass(int *values, int *out)
{
    int warp = threadIdx.x / 32;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        values[0] = 5;
        __threadfence();
        SET(&flags[0], 1);
        values[1] = 6;
        __threadfence_block();
        atomicExch_block(&flags[1], 1);
    }
    if (blockIdx.x == 0 && threadIdx.x == 32) {
        while (atomicAdd_block(&flags[1], 0) == 0) ;
        out[0] = values[1];
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (*(volatile int *)&flags[0] == 0) ;
        out[1] = values[0] + warp;
    }
}

int main()
{
    int *values, *out;
    cudaMalloc(&values, 2 * sizeof(int));
    cudaMalloc(&out, 2 * sizeof(int));
    pass<<<2, 64>>>(values, out);
    cudaFree(values);
    cudaFree(out);
}
