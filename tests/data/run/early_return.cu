// Threads that have returned are not waited for at a barrier.
// machines: gtx480 fx5800
#include <stdio.h>

__global__ void tail(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    int other = threadIdx.x ^ 1;
    if (blockIdx.x * blockDim.x + other >= n)
        other = threadIdx.x;
    out[i] = tile[other];
}

// A whole warp leaves, then half of another, then single threads.
__global__ void leave(int *out)
{
    __shared__ int count;
    int t = threadIdx.x;
    if (t >= 64)
        return;
    atomicAdd(&count, 1);
    __syncthreads();
    int first = count;
    __syncthreads();
    if (t >= 48)
        return;
    atomicAdd(&count, 100);
    __syncthreads();
    int second = count;
    __syncthreads();
    if (t % 3 == 1) {
        out[t] = -t;
        return;
    }
    atomicAdd(&count, 10000);
    __syncthreads();
    out[t] = count + first + second;
}

int main()
{
    int n = 150, host[192];
    for (int i = 0; i < 192; i++)
        host[i] = 3 * i;
    int *in, *out;
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMemset(out, 0xFF, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    tail<<<3, 64>>>(in, out, n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += host[i] != 3 * (i ^ 1);
    printf("%d %d %d %d\n", wrong, host[0], host[149], host[150]);
    leave<<<1, 96>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", host[0], host[1], host[2], host[46], host[47]);
    return 0;
}

// out: 0 3 444 -1
// out: 329792 -1 329792 -46 329792
