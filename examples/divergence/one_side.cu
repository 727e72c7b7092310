// one_side: one thread in four, by its number, has work that the others skip (programmatic, if only): there
// is no other side to go on with meanwhile, but lanes could be filled from other warps.
//
// usage: one_side [threads [rounds]]

#include "check.h"

__host__ __device__ int work(int value)
{
    for (int i = 0; i < 10; i++)
        value = value * 13 + (value >> 7 & 31);
    return value;
}

__global__ void one_side(int *results, int count, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int sum = i;
    for (int round = 0; round < rounds; round++) {
        if ((threadIdx.x & 3) == (threadIdx.x >> 5 & 3))
            sum = work(sum + round);
        sum ^= round << 3;
    }
    results[i] = sum;
}

int main(int argc, char **argv)
{
    int count = number(argc, argv, 1, 5000), rounds = number(argc, argv, 2, 16);
    int *expected = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) {
        int thread = i % 256, sum = i;
        for (int round = 0; round < rounds; round++)
            sum = ((thread & 3) == (thread >> 5 & 3) ? work(sum + round) : sum) ^ round << 3;
        expected[i] = sum;
    }
    int *results = on_device(NULL, count);
    one_side<<<(count + 255) / 256, 256>>>(results, count, rounds);
    CHECK(cudaDeviceSynchronize());
    return verdict("one_side", expected, results, count);
}
