// Ours: when the lanes of a warp store to one address at once, the highest thread wins; a warp's
// atomics happen in the order of its threads.
#include <stdio.h>

__global__ void last(int *out)
{
    __shared__ int cell;
    int t = threadIdx.x;
    cell = t;
    __syncthreads();
    out[0] = t * 10;
    out[1 + t / 2] = t;
    if (t % 3 == 1)
        out[3] = t + cell * 100;
}

__global__ void order(int *next, int *tickets) { tickets[threadIdx.x] = atomicAdd(next, 2); }

int main()
{
    int host[4], *out;
    cudaMalloc((void **)&out, sizeof host);
    last<<<1, 4>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaMemset(out, 0, sizeof host);
    int *tickets;
    cudaMalloc((void **)&tickets, sizeof host);
    order<<<1, 4>>>(out, tickets);
    cudaMemcpy(host, tickets, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    return 0;
}

// out: 30 1 3 301
// out: 0 2 4 6
