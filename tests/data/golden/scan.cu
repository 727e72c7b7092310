// Shared memory, a barrier in a loop, a divergent branch: an inclusive scan of each block.
#include <stdio.h>

#define BLOCK 8

__global__ void scan(int *data, int n)
{
    __shared__ int partial[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    partial[threadIdx.x] = i < n ? data[i] : 0;
    for (int reach = 1; reach < BLOCK; reach *= 2) {
        __syncthreads();
        int left = threadIdx.x >= reach ? partial[threadIdx.x - reach] : 0;
        __syncthreads();
        partial[threadIdx.x] += left;
    }
    if (i < n)
        data[i] = partial[threadIdx.x];
}

int main()
{
    int host[20], *data;
    for (int i = 0; i < 20; i++)
        host[i] = i + 1;
    cudaMalloc((void **)&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    scan<<<3, BLOCK>>>(data, 20);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; i++)
        printf("%d%c", host[i], i % BLOCK == BLOCK - 1 || i == 19 ? '\n' : ' ');
    return 0;
}
