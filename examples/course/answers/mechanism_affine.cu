// Adds to each number of a table a weight that depends on its row alone; the block's index is the row.
#include <cstdio>

const int rows = 60, columns = 256;

__global__ void weigh(int *values)
{
    int row = blockIdx.x, column = threadIdx.x;
    int weight = 1;
    for (int k = 0; k < 32; k++)
        weight = weight * row + k;
    values[row * columns + column] += weight;
}

int main()
{
    static int numbers[rows * columns];
    for (int i = 0; i < rows * columns; i++)
        numbers[i] = i % 7;
    int *values;
    cudaMalloc(&values, sizeof(numbers));
    cudaMemcpy(values, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    weigh<<<rows, columns>>>(values);
    cudaMemcpy(numbers, values, sizeof(numbers), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < rows * columns; i++)
        sum += (long long)numbers[i] * (i % 13 + 1);
    printf("the weighted sum is %lld\n", sum);
    cudaFree(values);
}
