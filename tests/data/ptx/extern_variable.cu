// The kernel's PTX declares `factor` as `.extern`: the program's variable.
#include <stdio.h>

__device__ unsigned factor = 3;

__global__ void k(unsigned *out)
{
    out[threadIdx.x] = threadIdx.x * factor;
    __syncthreads();
    if (threadIdx.x == 0)
        factor = 5;
}

int main()
{
    unsigned out[32], *d;
    cudaMalloc(&d, sizeof out);
    for (int i = 0; i < 2; i++) {
        k<<<1, 32>>>(d);
        cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
        printf("%u\n", out[31]);
    }
    return 0;
}
