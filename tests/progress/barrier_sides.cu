// Both sides of a branch come to a barrier of the block, one of them in a branch of its own.
// out: 46

#include <stdio.h>

__global__ void sides(int *out)
{
    __shared__ int shared[48];
    int x = threadIdx.x;
    shared[x] = 0;
    if (x % 3 == 0) {
        shared[x] = 1;
        __syncthreads();
    } else if (x == 46) {
        return;
    } else {
        shared[x] = 2;
        __syncthreads();
    }
    out[x] = shared[47 - x];
}

int main()
{
    int *cells;
    int host[48];
    cudaMalloc((void **)&cells, sizeof(host));
    cudaMemset(cells, 0, sizeof(host));
    sides<<<1, 48>>>(cells);
    cudaDeviceSynchronize();
    cudaMemcpy(host, cells, sizeof(host), cudaMemcpyDeviceToHost);
    int others = 0;
    for (int i = 0; i < 48; i++)
        others += host[i] != 0;
    printf("%d\n", others);
    return 0;
}
