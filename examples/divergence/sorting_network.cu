// sorting_network: Batcher's odd-even merge sort of 256 numbers a block in shared memory. Which threads
// compare in a stage depends on their numbers (programmatic, if only), whether they swap on the data.
//
// usage: sorting_network [blocks]

#include "check.h"

#define COUNT 256

__global__ void sorting_network(int *values)
{
    __shared__ int part[COUNT];
    int i = threadIdx.x;
    int *mine = values + blockIdx.x * COUNT;
    part[i] = mine[i];
    __syncthreads();
    for (int p = 1; p < COUNT; p <<= 1) {
        for (int k = p; k > 0; k >>= 1) {
            // Pairs (i, i + k) within each pair of sorted runs of p numbers.
            int start = k % p;
            if (i >= start && i + k < COUNT && (i - start) / k % 2 == 0) {
                if (i / (2 * p) == (i + k) / (2 * p)) {
                    int low = part[i], high = part[i + k];
                    if (low > high) {
                        part[i] = high;
                        part[i + k] = low;
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
    int blocks = number(argc, argv, 1, 30), count = blocks * COUNT;
    int *expected = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        expected[i] = random_below(100000);
    int *values = on_device(expected, count);
    for (int block = 0; block < blocks; block++)
        qsort(expected + block * COUNT, COUNT, sizeof(int), compare);
    sorting_network<<<blocks, COUNT>>>(values);
    CHECK(cudaDeviceSynchronize());
    return verdict("sorting_network", expected, values, count);
}
