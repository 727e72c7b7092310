// All who find something write the same.
__global__ void find(const int *a, int *found)
{
    if (a[blockIdx.x * blockDim.x + threadIdx.x] == 0)
#ifdef FIXED
        atomicExch(found, 1);
#else
        *found = 1;
#endif
}

int main()
{
    int *a, *found;
    cudaMalloc(&a, 512);
    cudaMalloc(&found, sizeof(int));
    cudaMemset(a, 0, 512);
    cudaMemset(found, 0, sizeof(int));
    find<<<4, 32>>>(a, found);
    cudaFree(a);
    cudaFree(found);
}
