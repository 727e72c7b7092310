// The flag is not volatile: nothing makes the reader see it, nor orders what is behind it.
__global__ void chain(int *value, int *flag)
{
    if (blockIdx.x == 0) {
        *value = 7;
        __threadfence();
#ifdef FIXED
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
#else
        *flag = 1;
    } else if (*flag == 1) {
#endif
        *value = *value + 1;
    }
}

int main()
{
    int *value, *flag;
    cudaMalloc(&value, sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    chain<<<2, 1>>>(value, flag);
    cudaFree(value);
    cudaFree(flag);
}
