// A load that CUDA would take through the read-only cache.
#include <stdio.h>

__global__ void copy(const float *__restrict__ from, float *to)
{
    to[threadIdx.x] = __ldg(&from[threadIdx.x]) + __ldg(from + 1);
}

int main()
{
    float host[3] = {1, 2, 3}, *from, *to;
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    copy<<<1, 3>>>(from, to);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[0], host[1], host[2]);
    return 0;
}

// out: 3 4 5
