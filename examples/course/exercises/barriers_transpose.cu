// Transposes a square of numbers. A warp reads a row, and writes a column.
#include <cstdio>

const int size = 256, tile = 32;

__global__ void transpose(const int *from, int *to)
{
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int k = 0; k < tile; k += blockDim.y)
        to[x * size + y + k] = from[(y + k) * size + x];
}

int main()
{
    static int numbers[size * size];
    for (int i = 0; i < size * size; i++)
        numbers[i] = i % 1009;
    int *from, *to;
    cudaMalloc(&from, sizeof(numbers));
    cudaMalloc(&to, sizeof(numbers));
    cudaMemcpy(from, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    transpose<<<dim3(size / tile, size / tile), dim3(tile, 8)>>>(from, to);
    cudaMemcpy(numbers, to, sizeof(numbers), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < size * size; i++)
        sum += (long long)numbers[i] * (i % 10007);
    printf("the weighted sum is %lld\n", sum);
    cudaFree(from);
    cudaFree(to);
}
