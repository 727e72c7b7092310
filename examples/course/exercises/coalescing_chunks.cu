// Adds up numbers: each thread adds 32 neighbouring ones, as a CPU's thread would.
#include <cstdio>

const int count = 1 << 18, threads = 256, each = 32;

__global__ void add(const int *values, int *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < each; k++)
        sum += values[i * each + k];
    sums[i] = sum;
}

int main()
{
    static int numbers[count];
    for (int i = 0; i < count; i++)
        numbers[i] = i % 1000;
    int *values, *sums;
    cudaMalloc(&values, sizeof(numbers));
    cudaMalloc(&sums, sizeof(numbers) / each);
    cudaMemcpy(values, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    add<<<count / each / threads, threads>>>(values, sums);
    cudaMemcpy(numbers, sums, sizeof(numbers) / each, cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < count / each; i++)
        sum += numbers[i];
    printf("the sum is %lld\n", sum);
    cudaFree(values);
    cudaFree(sums);
}
