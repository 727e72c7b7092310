// Blocks take work from a queue by an atomic, which one thread tells the others.
__device__ unsigned next;

__global__ void work(const int *items, int *done, int n)
{
    __shared__ unsigned item;
    int t = threadIdx.x;
    while (true) {
        if (t == 0)
            item = atomicAdd(&next, 1); // plant
        __syncthreads(); // plant
        unsigned own = item;
        __syncthreads(); // plant
        if (own >= n)
            break;
        done[own * BLOCK + t] = items[own] + t;
    }
}

int main()
{
    int *items, *done;
    cudaMalloc(&items, 10 * sizeof(int));
    cudaMalloc(&done, 10 * BLOCK * sizeof(int));
    cudaMemset(items, 0, 10 * sizeof(int)); // plant
    work<<<BLOCKS, BLOCK>>>(items, done, 10);
    cudaFree(items); // plant
    cudaFree(done); // plant
}
