// Thread FIRST of the second block waits for what the first block has stored; only a barrier orders that for the others.
__global__ void ordered_lane(T *out, volatile int *flag)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t == 0) {
            out[0] = 5;
            __threadfence(); // plant
            *flag = 1;
        }
    } else if (blockIdx.x == 1) {
        if (t == LANE)
            while (*flag == 0);
        __syncthreads(); // plant
        if (t >= LANE && t < 32)
            out[0] = T(t);
    }
}

int main()
{
    T *out;
    int *flag;
    cudaMalloc(&out, sizeof(T));
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    ordered_lane<<<BLOCKS, BLOCK>>>(out, flag);
    cudaFree(out);
    cudaFree(flag);
}
