// A thread adds to a sum by an atomic and then reads it, after what others have added.
__device__ int total, ready;

__global__ void in_block(int *out)
{
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0)
        sum = 0;
    __syncthreads();
    if (t == LANE)
        atomicAdd(&sum, 5);
    __syncthreads(); // plant
    if (t == BLOCK - 1) {
        atomicAdd(&sum, 1);
        out[blockIdx.x] = sum;
    }
}

__global__ void in_grid(int *out)
{
    if (threadIdx.x != LANE)
        return;
    if (blockIdx.x == 0) {
        atomicAdd(&total, 5);
        __threadfence(); // plant
        atomicExch(&ready, 1);
    } else if (blockIdx.x == 1) {
        while (atomicAdd(&ready, 0) == 0); // plant
        atomicAdd(&total, 1);
        *out = total;
    }
}

int main()
{
    int *out;
    cudaMalloc(&out, (BLOCKS + 1) * sizeof(int));
    cudaMemset(out, 0, (BLOCKS + 1) * sizeof(int));
    in_block<<<BLOCKS, BLOCK>>>(out);
    in_grid<<<BLOCKS, BLOCK>>>(out);
    cudaFree(out);
}
