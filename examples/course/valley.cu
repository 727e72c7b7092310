// Each warp sums its own 16 lines of memory, again and again: a working set of 2 KiB per warp.
#include <cstdio>
#include <cstdlib>

const int LINES = 16, ROUNDS = 16, BLOCKS = 96;

__global__ void sum(const volatile int *values, int *sums)
{
    const volatile int *own = values + blockIdx.x * LINES * 32 + threadIdx.x;
    int total = 0;
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll 1
        for (int line = 0; line < LINES; line++)
            total += own[line * 32];
    sums[blockIdx.x * 32 + threadIdx.x] = total;
}

int main()
{
    int count = BLOCKS * LINES * 32, *numbers = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        numbers[i] = i % 7;
    int *values, *sums, first;
    cudaMalloc(&values, count * sizeof(int));
    cudaMalloc(&sums, BLOCKS * 32 * sizeof(int));
    cudaMemcpy(values, numbers, count * sizeof(int), cudaMemcpyHostToDevice);
    sum<<<BLOCKS, 32>>>(values, sums);
    cudaMemcpy(&first, sums, sizeof(int), cudaMemcpyDeviceToHost);
    printf("the first sum is %d\n", first);
    cudaFree(values);
    cudaFree(sums);
    free(numbers);
}
