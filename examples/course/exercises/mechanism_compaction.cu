// Even elements take one path, odd elements the other, so that each lane number takes the same path in all warps.
#include <cstdio>

const int count = 1 << 14, threads = 256;

__device__ float left(float x)
{
    for (int i = 0; i < 64; i++)
        x = x * 0.5f + 1.0f;
    return x;
}

__device__ float right(float x)
{
    for (int i = 0; i < 64; i++)
        x = x * 0.25f - 1.0f;
    return x;
}

__global__ void evaluate(float *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0)
        values[i] = left(i);
    else
        values[i] = right(i);
}

int main()
{
    float *values;
    cudaMalloc(&values, count * sizeof(float));
    evaluate<<<count / threads, threads>>>(values);
    static float result[count];
    cudaMemcpy(result, values, sizeof(result), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 13 + 1) * (double)result[i];
    printf("the weighted sum is %.3f\n", sum);
    cudaFree(values);
}
