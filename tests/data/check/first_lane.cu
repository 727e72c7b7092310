// Only the first lane of a store waits for the other block; the lanes beside it do not.
__global__ void first_lane(int *out, volatile int *flag)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t == 0) {
            out[0] = 5;
            __threadfence();
            *flag = 1;
        }
    } else {
        if (t == 0)
            while (*flag == 0);
#ifdef FIXED
        __syncthreads();
#endif
        out[0] = t;
    }
}

int main()
{
    int *out, *flag;
    cudaMalloc(&out, sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    first_lane<<<2, 32>>>(out, flag);
    cudaFree(out);
    cudaFree(flag);
}
