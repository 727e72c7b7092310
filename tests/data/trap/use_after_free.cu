// status: 241
// err: increment
// err: use_after_free.cu:7

__global__ void increment(int *a)
{
    a[threadIdx.x]++;
}

int main()
{
    int *a;
    cudaMalloc((void **)&a, 64);
    increment<<<1, 4>>>(a);
    cudaFree(a);
    increment<<<1, 4>>>(a);
    cudaDeviceSynchronize();
    return 0;
}
// err: this memory has been freed
