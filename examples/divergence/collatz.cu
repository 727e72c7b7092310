// collatz: steps of the Collatz sequence until 1. Both sides of the branch are short and of like length, and
// the loop ends in each thread at another time. Data-dependent.
//
// usage: collatz [numbers]

#include "check.h"

__host__ __device__ int steps(int start)
{
    unsigned n = start;
    int count = 0;
    while (n > 1 && count < 500) {
        if (n & 1) {
            n = 3 * n + 1;
            count += 1;
        } else {
            n = n >> 1;
            count += 1;
        }
    }
    return count;
}

__global__ void collatz(const int *starts, int *counts, int numbers)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < numbers)
        counts[i] = steps(starts[i]);
}

int main(int argc, char **argv)
{
    int numbers = number(argc, argv, 1, 2000);
    int *starts = (int *)malloc(numbers * sizeof(int));
    int *expected = (int *)malloc(numbers * sizeof(int));
    for (int i = 0; i < numbers; i++) {
        starts[i] = 1 + random_below(5000);
        expected[i] = steps(starts[i]);
    }
    int *counts = on_device(NULL, numbers);
    collatz<<<(numbers + 255) / 256, 256>>>(on_device(starts, numbers), counts, numbers);
    CHECK(cudaDeviceSynchronize());
    return verdict("collatz", expected, counts, numbers);
}
