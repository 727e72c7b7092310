// Blocks take a spin lock with one thread each, and read and write with plain accesses what it protects: loads behind
// the loop must not be requested before it ends.
// out: 16 120 16

#include <stdio.h>

__global__ void count(int *mutex, int *counter, int *list, const int *weights, int n)
{
    __shared__ int ticket;
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex, 0, 1) != 0)
            ;
        __threadfence();
        ticket = *(volatile int *)counter;
        *(volatile int *)counter = ticket + 1;
        list[ticket] = blockIdx.x;
        __threadfence();
        atomicExch(mutex, 0);
    }
    __syncthreads();
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += weights[i];
    atomicAdd(&counter[1], sum);
}

int main()
{
    const int blocks = 16, n = 96;
    int *cells, *list, *weights;
    int host[blocks], seen = 0, sum = 0, counters[2], ones[n];
    for (int i = 0; i < n; i++)
        ones[i] = i % 4 == 0;
    cudaMalloc((void **)&cells, 3 * sizeof(int));
    cudaMalloc((void **)&list, sizeof host);
    cudaMalloc((void **)&weights, sizeof ones);
    cudaMemset(cells, 0, 3 * sizeof(int));
    cudaMemcpy(weights, ones, sizeof ones, cudaMemcpyHostToDevice);
    count<<<blocks, 40>>>(cells, cells + 1, list, weights, n);
    cudaMemcpy(host, list, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(counters, cells + 1, sizeof counters, cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; i++) {
        sum += host[i];
        for (int j = 0; j < blocks; j++)
            seen += host[j] == i;
    }
    printf("%d %d %d\n", counters[0], sum, seen);
    return counters[1] != 24 * blocks;
}
