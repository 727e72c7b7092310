// Transposes a square of numbers. Tiles pass through shared memory, whose rows have one word more than a warp.
#include <cstdio>

const int size = 256, tile = 32;

__global__ void transpose(const int *from, int *to)
{
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    __shared__ int part[tile][tile + 1];
    for (int k = 0; k < tile; k += blockDim.y)
        part[threadIdx.y + k][threadIdx.x] = from[(y + k) * size + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x, y = blockIdx.x * tile + threadIdx.y;
    for (int k = 0; k < tile; k += blockDim.y)
        to[(y + k) * size + x] = part[threadIdx.x][threadIdx.y + k];
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
