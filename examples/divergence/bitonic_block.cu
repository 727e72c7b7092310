// bitonic_block: bitonic sort of 512 numbers a block in shared memory, written with a branch for each
// direction: which one a thread takes depends on its number only (programmatic), both are of one length, and
// in each two threads of a warp in three rounds go either way.
//
// usage: bitonic_block [blocks]

#include "check.h"

#define COUNT 512

__global__ void bitonic_block(int *values)
{
    __shared__ int part[COUNT];
    int i = threadIdx.x;
    int *mine = values + blockIdx.x * COUNT;
    part[i] = mine[i];
    __syncthreads();
    for (int size = 2; size <= COUNT; size <<= 1) {
        for (int distance = size >> 1; distance > 0; distance >>= 1) {
            int other = i ^ distance;
            if (other > i) {
                if ((i & size) == 0) {
                    int low = part[i], high = part[other];
                    if (low > high) {
                        part[i] = high;
                        part[other] = low;
                    }
                } else {
                    int high = part[i], low = part[other];
                    if (high < low) {
                        part[other] = high;
                        part[i] = low;
                    }
                }
            }
            __syncthreads();
        }
    }
    mine[i] = part[i];
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    int blocks = number(argc, argv, 1, 15), count = blocks * COUNT;
    int *expected = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        expected[i] = random_below(100000);
    int *values = on_device(expected, count);
    for (int block = 0; block < blocks; block++)
        qsort(expected + block * COUNT, COUNT, sizeof(int), compare);
    bitonic_block<<<blocks, COUNT>>>(values);
    CHECK(cudaDeviceSynchronize());
    return verdict("bitonic_block", expected, values, count);
}
