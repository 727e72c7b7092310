// Populations after 64 seasons. Only the rate depends on the branch, and all lanes share the loop.
#include <cstdio>

const int count = 1 << 14, threads = 256;

__device__ float grow(float size, float rate)
{
    for (int season = 0; season < 64; season++)
        size = rate * size * (1.0f - size);
    return size;
}

__global__ void predict(const float *sizes, float *results)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float size = sizes[i];
    float rate = size < 0.5f ? 2.5f : 3.25f;
    results[i] = grow(size, rate);
}

int main()
{
    static float numbers[count];
    for (int i = 0; i < count; i++)
        numbers[i] = (i * 37 % 97 + 1) * 0.01f;
    float *sizes, *results;
    cudaMalloc(&sizes, sizeof(numbers));
    cudaMalloc(&results, sizeof(numbers));
    cudaMemcpy(sizes, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    predict<<<count / threads, threads>>>(sizes, results);
    cudaMemcpy(numbers, results, sizeof(numbers), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 13 + 1) * (double)numbers[i];
    printf("the weighted sum is %.2f\n", sum);
    cudaFree(sizes);
    cudaFree(results);
}
