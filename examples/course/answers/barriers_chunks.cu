// Checksums of numbers: a block overwrites a chunk once its first thread has read it.
#include <cstdio>

const int blocks = 15, threads = 512, chunks = 4;

__global__ void check(const int *values, unsigned *sums)
{
    __shared__ int part[threads];
    unsigned sum = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
        part[threadIdx.x] = values[(blockIdx.x * chunks + chunk) * threads + threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0)
            for (int k = threads - 1; k >= 0; k--)
                sum = sum * 31 + part[k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

int main()
{
    static int numbers[blocks * chunks * threads];
    for (int i = 0; i < blocks * chunks * threads; i++)
        numbers[i] = i % 101;
    int *values;
    unsigned *sums, results[blocks];
    cudaMalloc(&values, sizeof(numbers));
    cudaMalloc(&sums, sizeof(results));
    cudaMemcpy(values, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    check<<<blocks, threads>>>(values, sums);
    cudaMemcpy(results, sums, sizeof(results), cudaMemcpyDeviceToHost);
    for (int block = 0; block < blocks; block++)
        printf("block %d has the checksum %08x\n", block, results[block]);
    cudaFree(values);
    cudaFree(sums);
}
