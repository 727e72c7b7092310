// Each thread waits for one load after the other. How long that takes depends on how many other warps there are.
// -DTILE=n: words of shared memory that a block keeps, of which few blocks fit on an SM when n is large.
#include <cstdio>

#ifndef TILE
#define TILE 256
#endif

__global__ void chase(const int *next, int *ends, int steps)
{
    __shared__ int tile[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; step++)
        i = next[i];
    tile[threadIdx.x] = i;
    ends[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

int main()
{
    const int count = 1 << 15;
    int *numbers = new int[count], *next, *ends;
    for (int i = 0; i < count; i++)
        numbers[i] = (i + 4096) % count;
    cudaMalloc(&next, count * sizeof(int));
    cudaMalloc(&ends, count * sizeof(int));
    cudaMemcpy(next, numbers, count * sizeof(int), cudaMemcpyHostToDevice);
    chase<<<count / 256, 256>>>(next, ends, 8);
    cudaMemcpy(numbers, ends, count * sizeof(int), cudaMemcpyDeviceToHost);
    printf("from 5, eight steps lead to %d\n", numbers[5]);
    cudaFree(next);
    cudaFree(ends);
    delete[] numbers;
}
