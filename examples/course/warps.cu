// Blocks of 32 and of 33 threads: the second needs two warps, of which one has a single thread.
#include <cstdio>

__global__ void square(int *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = i * i;
}

int main()
{
    const int most = 33;
    int *values, found[most];
    cudaMalloc(&values, sizeof(found));
    for (int threads = 32; threads <= most; threads++) {
        square<<<1, threads>>>(values);
        cudaMemcpy(found, values, threads * sizeof(int), cudaMemcpyDeviceToHost);
        printf("%d threads, the last square is %d\n", threads, found[threads - 1]);
    }
    cudaFree(values);
}
