// Each thread follows a path through its block's table of 4 KiB. Unused shared memory limits an SM to four blocks.
#include <cstdio>

const int blocks = 180, threads = 64, table = 1024, steps = 64;

__global__ void follow(const int *tables, int *ends)
{
    const int *own = tables + blockIdx.x * table;
    int place = threadIdx.x;
    for (int step = 0; step < steps; step++)
        place = own[place];
    ends[blockIdx.x * threads + threadIdx.x] = place;
}

int main()
{
    static int numbers[blocks * table];
    for (int i = 0; i < blocks * table; i++)
        numbers[i] = (i % table * 37 + 11) % table;
    int *tables, *ends;
    cudaMalloc(&tables, sizeof(numbers));
    cudaMalloc(&ends, blocks * threads * sizeof(int));
    cudaMemcpy(tables, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    follow<<<blocks, threads, 48 * 1024 / 4>>>(tables, ends);
    cudaMemcpy(numbers, ends, blocks * threads * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < blocks * threads; i++)
        sum += (long long)numbers[i] * (i % 13 + 1);
    printf("the weighted sum is %lld\n", sum);
    cudaFree(tables);
    cudaFree(ends);
}
