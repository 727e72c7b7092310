// insertion_sort: each thread sorts eight numbers of its own in shared memory; how far a number moves depends
// on the data, so that the inner loop ends at different times.
//
// usage: insertion_sort [lists]

#include "check.h"

#define LENGTH 8
#define THREADS 128

__global__ void insertion_sort(int *lists, int count)
{
    __shared__ int part[LENGTH][THREADS];
    int list = blockIdx.x * THREADS + threadIdx.x, mine = threadIdx.x;
    if (list >= count)
        return;
    for (int i = 0; i < LENGTH; i++)
        part[i][mine] = lists[i * count + list];
    for (int i = 1; i < LENGTH; i++) {
        int value = part[i][mine], j = i;
        while (j > 0 && part[j - 1][mine] > value) {
            part[j][mine] = part[j - 1][mine];
            j--;
        }
        part[j][mine] = value;
    }
    for (int i = 0; i < LENGTH; i++)
        lists[i * count + list] = part[i][mine];
}

int main(int argc, char **argv)
{
    int count = number(argc, argv, 1, 4000);
    int *expected = (int *)malloc(count * LENGTH * sizeof(int));
    for (int i = 0; i < count * LENGTH; i++)
        expected[i] = random_below(1000);
    int *lists = on_device(expected, count * LENGTH);
    for (int list = 0; list < count; list++) {
        // The host's sort takes the smallest each time.
        for (int i = 0; i < LENGTH; i++) {
            int least = i;
            for (int j = i + 1; j < LENGTH; j++)
                if (expected[j * count + list] < expected[least * count + list])
                    least = j;
            int value = expected[i * count + list];
            expected[i * count + list] = expected[least * count + list];
            expected[least * count + list] = value;
        }
    }
    insertion_sort<<<(count + THREADS - 1) / THREADS, THREADS>>>(lists, count);
    CHECK(cudaDeviceSynchronize());
    return verdict("insertion_sort", expected, lists, count * LENGTH);
}
