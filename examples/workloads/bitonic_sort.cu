// bitonic_sort: sorts parts of 256 numbers each, a block for each part, by the bitonic network in shared memory.
//
// Measured in chapter 4 of the dissertation (BITONIC in Table 4.2; its loop is Figure 4.12(a)). Modelled on the
// sample "bitonic" of the early CUDA SDKs, which sorts one part with one block.
//
// Characteristic: a thread is one element. The two outer branches (`partner > me`, and the direction) depend on the
// thread's number alone, so they diverge alike in all warps: the active lanes of every warp are the same ones, and
// half of the threads do nothing. Only the swap itself depends on data. A barrier closes each of the 36 steps.
//
// usage: bitonic_sort [blocks]

#include "workload.h"

#define COUNT 256

__device__ inline void swap(int &a, int &b)
{
    int kept = a;
    a = b;
    b = kept;
}

__global__ void bitonic_sort(int *values)
{
    __shared__ int part[COUNT];
    const unsigned int me = threadIdx.x;
    int *mine = values + blockIdx.x * COUNT;
    part[me] = mine[me];
    __syncthreads();
    // `size` is the length of the runs that are merged, `distance` that of the elements compared.
    for (unsigned int size = 2; size <= COUNT; size *= 2) {
        for (unsigned int distance = size / 2; distance > 0; distance /= 2) {
            unsigned int partner = me ^ distance;
            if (partner > me) {
                if ((me & size) == 0) {
                    if (part[me] > part[partner])
                        swap(part[me], part[partner]);
                } else {
                    if (part[me] < part[partner])
                        swap(part[me], part[partner]);
                }
            }
            __syncthreads();
        }
    }
    mine[me] = part[me];
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 8), count = blocks * COUNT;
    int *input = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        input[i] = random_bits() & 0x7fffffff;

    int *values = to_device(input, count);
    bitonic_sort<<<blocks, COUNT>>>(values);
    CHECK(cudaDeviceSynchronize());
    int *output = to_host(values, count);

    // Some parts are compared as a whole; of the others, the order, and sums that tell that the numbers are the same.
    int whole = blocks < 8 ? blocks : 8;
    for (int block = 0; block < blocks; block++) {
        int *before = input + block * COUNT, *after = output + block * COUNT;
        if (block < whole) {
            qsort(before, COUNT, sizeof(int), compare);
            for (int i = 0; i < COUNT; i++)
                expect_int("element", block * COUNT + i, before[i], after[i]);
        } else {
            unsigned int sum_before = 0, sum_after = 0, mix_before = 0, mix_after = 0;
            int disorder = 0;
            for (int i = 0; i < COUNT; i++) {
                sum_before += before[i];
                sum_after += after[i];
                mix_before ^= before[i];
                mix_after ^= after[i];
                disorder += i > 0 && after[i - 1] > after[i];
            }
            expect_int("sum of part", block, sum_before, sum_after);
            expect_int("mixture of part", block, mix_before, mix_after);
            expect_int("disorder of part", block, 0, disorder);
        }
    }
    return verdict("bitonic_sort");
}
