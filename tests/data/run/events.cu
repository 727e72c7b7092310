// Events measure simulated time, which passes while a kernel runs.
#include <stdio.h>

__global__ void work(float *a, int rounds)
{
    float x = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        x = x * 0.5f + 1.0f;
    a[threadIdx.x] = x;
}

int main()
{
    float *a, host[8];
    cudaEvent_t start, middle, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&middle);
    cudaEventCreate(&stop);
    cudaMalloc((void **)&a, sizeof host);
    cudaEventRecord(start, 0);
    work<<<1, 8>>>(a, 10);
    cudaEventRecord(middle);
    work<<<1, 8>>>(a, 100);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float first = -1, second = -1, all = -1, none = -1;
    cudaEventElapsedTime(&first, start, middle);
    cudaEventElapsedTime(&second, middle, stop);
    cudaEventElapsedTime(&all, start, stop);
    cudaEventElapsedTime(&none, start, start);
    printf("%d %d %d %d\n", first >= 0, second >= first, all >= second, none == 0);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    printf("%.3f %.3f\n", host[0], host[7]);
    cudaEventDestroy(start);
    cudaEventDestroy(middle);
    cudaEventDestroy(stop);
    return 0;
}

// out: 1 1 1 1
// out: 2.000 2.000
