// two_sides: even and odd threads go two ways of one length through a loop, each of which waits for its own
// chain of loads: nothing is divergent in the data, and everything could be interleaved (programmatic, if and
// else).
//
// usage: two_sides [threads [rounds]]

#include "check.h"

__global__ void two_sides(const int *next, const int *other, int *results, int count, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int at = i & 1023, sum = 0;
    for (int round = 0; round < rounds; round++) {
        if (i & 1) {
            at = next[at];
            sum += at * 3;
            sum ^= round;
        } else {
            at = other[at];
            sum -= at * 5;
            sum ^= at;
        }
    }
    results[i] = sum;
}

int main(int argc, char **argv)
{
    int count = number(argc, argv, 1, 5000), rounds = number(argc, argv, 2, 24);
    int next[1024], other[1024];
    for (int i = 0; i < 1024; i++) {
        next[i] = random_below(1024);
        other[i] = random_below(1024);
    }
    int *expected = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) {
        int at = i & 1023, sum = 0;
        for (int round = 0; round < rounds; round++) {
            at = (i & 1 ? next : other)[at];
            sum = i & 1 ? (sum + at * 3) ^ round : (sum - at * 5) ^ at;
        }
        expected[i] = sum;
    }
    int *results = on_device(NULL, count);
    two_sides<<<(count + 255) / 256, 256>>>(on_device(next, 1024), on_device(other, 1024), results,
                                            count, rounds);
    CHECK(cudaDeviceSynchronize());
    return verdict("two_sides", expected, results, count);
}
