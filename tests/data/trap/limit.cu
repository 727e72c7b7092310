// status: 243
// err: kernel 'long_way'
// err: 10000
// options: --max-cycles 10000
// models: functional timing
#include <stdio.h>

__global__ void long_way(unsigned *out, int n)
{
    unsigned x = threadIdx.x;
    for (int i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}

int main()
{
    unsigned *out;
    cudaMalloc((void **)&out, 100 * sizeof(int));
    long_way<<<1, 8>>>(out, 10);
    printf("short\n");
    long_way<<<1, 8>>>(out, 1000000);
    cudaDeviceSynchronize();
    printf("long\n");
    return 0;
}

// out: short
