// Results are copied in another stream than that of the kernel, into memory that the host reads before the copy is over.
#include <stdio.h>

__global__ void square(float *x)
{
    x[threadIdx.x] *= x[threadIdx.x];
}

int main()
{
    float *x, *results;
    cudaStream_t work, copies;
    cudaMalloc(&x, 32 * sizeof(float));
    cudaMallocHost(&results, 32 * sizeof(float));
    cudaMemset(x, 0, 32 * sizeof(float));
    cudaDeviceSynchronize();
    cudaStreamCreate(&work);
    cudaStreamCreate(&copies);
    square<<<1, 32, 0, work>>>(x);
#ifdef FIXED
    cudaStreamSynchronize(work);
#endif
    cudaMemcpyAsync(results, x, 32 * sizeof(float), cudaMemcpyDeviceToHost, copies);
#ifdef FIXED
    cudaStreamSynchronize(copies);
#endif
    printf("%f\n", results[1]);
    cudaDeviceSynchronize();
    // This copy is over when its call returns.
    square<<<1, 32>>>(x);
    cudaMemcpy(results, x, 32 * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", results[2]);
    cudaFreeHost(results);
    cudaFree(x);
}
