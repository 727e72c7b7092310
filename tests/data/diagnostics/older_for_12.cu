// What CUDA 12 has removed, and what it still has.
// options: --cuda 12
#include <stdio.h>
texture<float, 1> image; //~ error
texture<float, 1> unused; //~ error
__global__ void k(float *out, int n)
{
    out[0] = tex1Dfetch(image, n);
    out[1] = __shfl_down(n, 1) + __any(n);
}

int main()
{
    float *d;
    cudaMalloc(&d, 4);
    cudaBindTexture(0, image, d, 4); //~ error
    k<<<1, 32>>>(d, 1);
    cudaThreadSynchronize();
    cudaFuncSetSharedMemConfig(k, cudaSharedMemBankSizeFourByte);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("%d\n", properties.clockRate);
    cudaMemPrefetchAsync(d, 4, 0);
}
