// A block waits for a flag that the block before it sets; the fence before the flag is missing.
__global__ void chain(int *value, volatile int *flag)
{
    int b = blockIdx.x;
    if (b > 0)
        while (flag[b - 1] == 0)
            ;
    value[b] = b == 0 ? 1 : value[b - 1] + 1;
#ifdef FIXED
    __threadfence();
#endif
    flag[b] = 1;
}

int main()
{
    int *value, *flag;
    cudaMalloc(&value, 8 * sizeof(int));
    cudaMalloc(&flag, 8 * sizeof(int));
    cudaMemset(flag, 0, 8 * sizeof(int));
    chain<<<8, 1>>>(value, flag);
    cudaFree(value);
    cudaFree(flag);
}
