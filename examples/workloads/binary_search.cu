// binary_search: finds numbers in a long sorted array, all threads together: each looks whether the number lies in its
// part, and the next launch searches that part.
//
// Measured in BCC ("Bsearch" in Table 1, a coherent kernel). Modelled on AMD's sample "BinarySearch".
//
// Characteristic: two loads at the ends of a part, and a branch that one thread of the whole grid takes. The parts of
// the first launch lie far apart, so that each lane touches cache lines of its own.
//
// usage: binary_search [elements] [numbers] [threads]     (threads: a multiple of 256)

#include "workload.h"

#define THREADS 256

// found: the first place of the part that holds the number, and that part's length.
__global__ void search_parts(int *found, const int *sorted, int first, int end, int part, int number)
{
    int begin = first + (blockIdx.x * blockDim.x + threadIdx.x) * part;
    if (begin >= end)
        return;
    int last = min(begin + part, end) - 1;
    int low = sorted[begin], high = sorted[last];
    if (low > number || high < number)
        return;
    found[0] = begin;
    found[1] = last - begin + 1;
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 8192), numbers = argument(argc, argv, 2, 3);
    int threads = argument(argc, argv, 3, 512);
    if (threads % THREADS) {
        printf("threads: a multiple of %d\n", THREADS);
        return 2;
    }
    int *sorted = (int *)malloc(count * sizeof(int));
    for (int i = 0, value = 0; i < count; i++)
        sorted[i] = value += 1 + (random_bits() & 7);
    int *device_sorted = to_device(sorted, count), *device_found = device_zeros<int>(2);
    for (int n = 0; n < numbers; n++) {
        // Every second number is one of the array's; the others may not be.
        int wanted = sorted[random_below(count)] + (n & 1 ? (int)random_below(3) : 0);
        int first = 0, length = count;
        while (length > 1) {
            int part = (length + threads - 1) / threads, none[2] = {-1, 0}, found[2];
            CHECK(cudaMemcpy(device_found, none, sizeof(none), cudaMemcpyHostToDevice));
            search_parts<<<threads / THREADS, THREADS>>>(device_found, device_sorted, first, first + length, part,
                                                         wanted);
            CHECK(cudaMemcpy(found, device_found, sizeof(found), cudaMemcpyDeviceToHost));
            first = found[0];
            length = found[1];
        }
        int place = first >= 0 && sorted[first] == wanted ? first : -1, expected = -1;
        for (int low = 0, high = count - 1; low <= high;) {
            int middle = (low + high) / 2;
            if (sorted[middle] == wanted) {
                expected = middle;
                break;
            }
            if (sorted[middle] < wanted)
                low = middle + 1;
            else
                high = middle - 1;
        }
        expect_int("place of number", n, expected, place);
    }
    return verdict("binary_search");
}
