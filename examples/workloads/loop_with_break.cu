// loop_with_break: a loop over an array that a rare element ends early.
// Algorithm 3.2 of the book on GPU architecture (section 3.4, likely convergence points; after Fung and Aamodt).
//
// Each thread has an array of its own. An element of 0 is answered with a value, one of 1 ends the loop, and others do
// nothing. The paths of the branch on 0 could reconverge at the end of the loop's body (block E), but since block D
// leaves the loop, the immediate post-dominator is the block after it (block F): a warp that has diverged at that
// branch stays so until the loop ends, although the edge from C to D is rarely taken.
//
// usage: loop_with_break [threads [elements of a thread [one element in so many is 1]]]

#include "workload.h"

#define THREADS 128

// Element i of thread t is at i * threads + t, so that a warp that has not diverged reads a whole line.
__global__ void loop_with_break(const int *data, int *result, int *last, int threads, int elements)
{
    int thread = blockIdx.x * THREADS + threadIdx.x;
    if (thread >= threads)
        return;
    int i = 0, y = thread;
    while (i < elements) {
        int x = data[i * threads + thread];     // block A
        if (x == 0)
            result[i * threads + thread] = y;   // block B
        else if (x == 1)                        // block C
            break;                              // block D
        i++;                                    // block E
        y = y * 5 + i;
    }
    last[thread] = result[i * threads + thread];    // block F
}

int main(int argc, char **argv)
{
    int threads = argument(argc, argv, 1, 256), elements = argument(argc, argv, 2, 16);
    int rare = argument(argc, argv, 3, 100), count = threads * elements, room = threads * (elements + 1);
    // Half of the elements are 0, few are 1, the others 2.
    int *data = (int *)malloc(count * sizeof(int)), *result = (int *)malloc(room * sizeof(int));
    for (int i = 0; i < count; i++) {
        unsigned drawn = random_bits() >> 8;
        data[i] = drawn % rare == 0 ? 1 : drawn & 0x8000 ? 0 : 2;
    }
    for (int i = 0; i < room; i++)
        result[i] = -1 - i;
    int *data_there = to_device(data, count), *result_there = to_device(result, room);
    int *last_there = device_zeros<int>(threads);
    loop_with_break<<<(threads + THREADS - 1) / THREADS, THREADS>>>(data_there, result_there, last_there, threads,
                                                                    elements);
    CHECK(cudaDeviceSynchronize());
    int *found = to_host(result_there, room), *last = to_host(last_there, threads);

    // All of few threads, a sample of many.
    int samples = threads < 2000 ? threads : 2000, ended = 0;
    for (int k = 0; k < samples; k++) {
        int thread = samples == threads ? k : (int)(random_bits() % threads), end = 0, y = thread;
        for (; end < elements && data[end * threads + thread] != 1; end++) {
            int at = end * threads + thread;
            expect_int("result", at, data[at] == 0 ? y : result[at], found[at]);
            y = y * 5 + end + 1;
        }
        ended += end < elements;
        expect_int("last result of thread", thread, result[end * threads + thread], last[thread]);
    }
    printf("%d of %d loops ended early\n", ended, samples);
    CHECK(cudaFree(data_there));
    CHECK(cudaFree(result_there));
    CHECK(cudaFree(last_there));
    return verdict("loop_with_break");
}
