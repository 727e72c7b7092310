// Each thread compares 16 numbers with 16 keys, tile by tile: the tiles of the 32 warps of an SM take 16 KiB.
#include <cstdio>

const int blocks = 60, threads = 256, each = 16, keys = 16;
const int tile = 4;

__global__ void compare(const volatile int *numbers, int *counts)
{
    const volatile int *own = numbers + blockIdx.x * threads * each + threadIdx.x;
    int found = 0;
    for (int first = 0; first < each; first += tile)
        for (int key = 0; key < keys; key++)
            for (int k = first; k < first + tile; k++)
                found += own[k * threads] > key;
    counts[blockIdx.x * threads + threadIdx.x] = found;
}

int main()
{
    const int count = blocks * threads * each;
    static int values[count];
    for (int i = 0; i < count; i++)
        values[i] = i % 17;
    int *numbers, *counts;
    cudaMalloc(&numbers, sizeof(values));
    cudaMalloc(&counts, blocks * threads * sizeof(int));
    cudaMemcpy(numbers, values, sizeof(values), cudaMemcpyHostToDevice);
    compare<<<blocks, threads>>>(numbers, counts);
    cudaMemcpy(values, counts, blocks * threads * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < blocks * threads; i++)
        sum += (long long)values[i] * (i % 13 + 1);
    printf("the weighted sum is %lld\n", sum);
    cudaFree(numbers);
    cudaFree(counts);
}
