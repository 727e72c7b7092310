// Half of the threads take one path of a branch, half the other: by lane, or by warp.
#include <cstdio>

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

__global__ void by_lane(float *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0)
        values[i] = left(i);
    else
        values[i] = right(i);
}

__global__ void by_warp(float *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i / 32 % 2 == 0)
        values[i] = left(i);
    else
        values[i] = right(i);
}

int main()
{
    const int count = 1 << 14;
    float *values, first, last;
    cudaMalloc(&values, count * sizeof(float));
    by_lane<<<count / 256, 256>>>(values);
    by_warp<<<count / 256, 256>>>(values);
    cudaMemcpy(&first, values, sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(&last, values + count - 1, sizeof(float), cudaMemcpyDeviceToHost);
    printf("the first value is %g, the last %g\n", first, last);
    cudaFree(values);
}
