// binary_search: each thread looks up a key in a sorted table, going left or right by what it finds: both
// sides are alike, the loop ends early where a key is found. Data-dependent.
//
// usage: binary_search [keys [table]]

#include "check.h"

__global__ void binary_search(const int *table, int size, const int *keys, int *places, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int key = keys[i], low = 0, high = size - 1, place = -1, probes = 0;
    while (low <= high) {
        int middle = (low + high) / 2;
        int found = table[middle];
        probes++;
        if (found == key) {
            place = middle;
            break;
        }
        if (found < key) {
            low = middle + 1;
            probes += found & 1;
        } else {
            high = middle - 1;
            probes += found >> 1 & 1;
        }
    }
    places[i] = place * 64 + probes;
}

int main(int argc, char **argv)
{
    int count = number(argc, argv, 1, 8000), size = number(argc, argv, 2, 2000);
    int *table = (int *)malloc(size * sizeof(int)), *keys = (int *)malloc(count * sizeof(int));
    int *expected = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < size; i++)
        table[i] = (i ? table[i - 1] : 0) + 1 + random_below(5);
    for (int i = 0; i < count; i++) {
        keys[i] = random_below(table[size - 1] + 10);
        int low = 0, high = size - 1, place = -1, probes = 0;
        while (low <= high && place < 0) {
            int middle = (low + high) / 2, found = table[middle];
            probes += 1 + (found < keys[i] ? found & 1 : found == keys[i] ? 0 : found >> 1 & 1);
            place = found == keys[i] ? middle : place;
            low = found < keys[i] ? middle + 1 : low;
            high = found > keys[i] ? middle - 1 : high;
        }
        expected[i] = place * 64 + probes;
    }
    int *places = on_device(NULL, count);
    binary_search<<<(count + 127) / 128, 128>>>(on_device(table, size), size,
                                                on_device(keys, count), places, count);
    CHECK(cudaDeviceSynchronize());
    return verdict("binary_search", expected, places, count);
}
