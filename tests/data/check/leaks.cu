// Memory that is not freed, and a launch that is refused.
__global__ void set(int *a) { a[threadIdx.x] = 1; }

int main()
{
    struct { int *a; } s;
    int *kept;
    cudaMalloc((void **)&s.a, 100);
    cudaMallocManaged(&kept, 40);
    set<<<1, 2000>>>(kept);
#ifdef FIXED
    cudaGetLastError();
    cudaFree(kept);
#endif
    cudaFree(s.a);
}
