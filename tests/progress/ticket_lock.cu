// A ticket lock between blocks: who comes first is served first, so every block reads what its predecessor wrote.
// out: 16 136

#include <stdio.h>

__global__ void chain(int *next, volatile int *serving, int *values, const int *factors, int n)
{
    __shared__ int own;
    int x = threadIdx.x;
    if (x == 0) {
        own = atomicAdd(next, 1);
        while (*serving != own)
            ;
        __threadfence();
    }
    __syncthreads();
    int ticket = own, sum = 0;
    for (int i = 0; i < n; i++)
        sum += factors[i * 32 + x];
    if (x == 0) {
        volatile int *cells = values;
        cells[ticket + 1] = cells[ticket] + ticket + sum;
        __threadfence();
        *serving = ticket + 1;
    }
}

int main()
{
    const int blocks = 16, n = 12;
    int *cells, *values, *factors;
    int host[2], last, ones[n * 32];
    for (int i = 0; i < n * 32; i++)
        ones[i] = i == 0;
    cudaMalloc((void **)&cells, sizeof host);
    cudaMalloc((void **)&values, (blocks + 1) * sizeof(int));
    cudaMalloc((void **)&factors, sizeof ones);
    cudaMemset(cells, 0, sizeof host);
    cudaMemset(values, 0, (blocks + 1) * sizeof(int));
    cudaMemcpy(factors, ones, sizeof ones, cudaMemcpyHostToDevice);
    chain<<<blocks, 32>>>(cells, cells + 1, values, factors, n);
    cudaMemcpy(host, cells, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&last, values + blocks, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], last);
    return 0;
}
