// Blocks wait for the first one, and all of them load more than fits into the queues of decoupled affine
// computation: who waits must not keep the first from its addresses.
// out: 1560 2459

#include <stdio.h>

__global__ void sum(volatile int *flag, const int *values, int *out, int n)
{
    int x = threadIdx.x;
    if (blockIdx.x != 0) {
        while (*flag == 0)
            ;
    }
    int total = 0;
    for (int i = 0; i < n; i++)
        total += values[i * 32 + x] / 32;
    out[blockIdx.x * 32 + x] = total + x * (int)blockIdx.x;
    __syncthreads();
    if (x == 0)
        *flag = 1;
}

int main()
{
    const int n = 80;
    int *flag, *values, *out;
    int host[n * 32];
    for (int i = 0; i < n * 32; i++)
        host[i] = i / 2;
    cudaMalloc((void **)&flag, sizeof(int));
    cudaMalloc((void **)&values, sizeof(host));
    cudaMalloc((void **)&out, 960 * sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
    sum<<<30, 32>>>(flag, values, out, n);
    cudaMemcpy(host, out, 960 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[31], host[959]);
    return 0;
}
