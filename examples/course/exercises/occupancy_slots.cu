// A block is one warp, and adds up a row of 512 numbers. Each number is the place of its lane's next one.
#include <cstdio>

const int rows = 720, columns = 512, steps = 16;

__global__ void add(const int *values, int *sums)
{
    int row = blockIdx.x, lane = threadIdx.x;
    const int *own = values + row * columns;
    int place = lane, sum = 0;
    for (int step = 0; step < steps; step++) {
        place = own[place];
        sum += place;
    }
    sums[row * 32 + lane] = sum;
}

int main()
{
    static int numbers[rows * columns];
    for (int i = 0; i < rows * columns; i++)
        numbers[i] = (i % columns + 32) % columns;
    int *values, *sums;
    cudaMalloc(&values, sizeof(numbers));
    cudaMalloc(&sums, rows * 32 * sizeof(int));
    cudaMemcpy(values, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    add<<<rows, 32>>>(values, sums);
    cudaMemcpy(numbers, sums, rows * 32 * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < rows * 32; i++)
        sum += (long long)numbers[i] * (i % 13 + 1);
    printf("the weighted sum is %lld\n", sum);
    cudaFree(values);
    cudaFree(sums);
}
