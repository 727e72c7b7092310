// reduction_kernel0: the sum of an array of integers by the first and worst of the SDK's reductions.
//
// Measured in chapter 4 of the dissertation (REDUCT, "Reduction (Kernel 0)", in Table 4.2). Modelled on kernel 0 of
// the CUDA SDK's sample "reduction".
//
// Characteristic: interleaved addressing with a modulo. In step s the threads whose number is a multiple of 2s add:
// 16, 8, 4, 2, 1 lanes of every warp, the same in each, then 1 lane of every second, fourth, ... warp. The branch
// depends on the thread's number alone. A remainder by a variable and a barrier in each of 8 steps. The kernel is
// launched until one block is left.
//
// usage: reduction_kernel0 [elements]

#include "workload.h"

#define THREADS 256

__global__ void reduce0(const int *input, int *output, unsigned int count)
{
    __shared__ int part[THREADS];
    unsigned int thread = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + thread;
    part[thread] = i < count ? input[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (thread % (2 * s) == 0)
            part[thread] += part[thread + s];
        __syncthreads();
    }
    if (thread == 0)
        output[blockIdx.x] = part[0];
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 4096);
    int blocks = (count + THREADS - 1) / THREADS;
    int *input = (int *)malloc(count * sizeof(int));
    long long *sums = (long long *)calloc(blocks, sizeof(long long));
    int total = 0;
    for (int i = 0; i < count; i++) {
        input[i] = random_bits() & 0xff;
        total += input[i];
        sums[i / THREADS] += input[i];
    }

    int *values = to_device(input, count);
    int *partial = device_zeros<int>(blocks), *next = device_zeros<int>(blocks);
    reduce0<<<blocks, THREADS>>>(values, partial, count);
    CHECK(cudaDeviceSynchronize());
    int *found = to_host(partial, blocks);
    for (int block = 0; block < blocks; block++)
        expect_int("sum of block", block, sums[block], found[block]);

    for (int left = blocks; left > 1;) {
        int launched = (left + THREADS - 1) / THREADS;
        reduce0<<<launched, THREADS>>>(partial, next, left);
        CHECK(cudaDeviceSynchronize());
        int *kept = partial;
        partial = next;
        next = kept;
        left = launched;
    }
    expect_int("sum", 0, total, *to_host(partial, 1));
    return verdict("reduction_kernel0");
}
