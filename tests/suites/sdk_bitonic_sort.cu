// suite: sdk42
// includes: sortingNetworks
// unchanged
#include "driver.h"
#include "bitonicSort.cu"

// Sorts one of `batch` arrays after the other and checks order and pairs.
static int check(uint batch, uint length, uint ascending)
{
    uint count = batch * length, wrong = 0;
    uint *keys = (uint *)malloc(count * sizeof(uint)), *values = (uint *)malloc(count * sizeof(uint));
    uint *got_keys = (uint *)malloc(count * sizeof(uint)), *got_values = (uint *)malloc(count * sizeof(uint));
    bool *seen = (bool *)calloc(count, 1);
    uint *in_keys, *in_values, *out_keys, *out_values;
    for (uint i = 0; i < count; i++) {
        keys[i] = rand() % 500;
        values[i] = i;
    }
    cudaMalloc(&out_keys, count * sizeof(uint));
    cudaMalloc(&out_values, count * sizeof(uint));
    in_keys = to_device(keys, count);
    in_values = to_device(values, count);
    bitonicSort(out_keys, out_values, in_keys, in_values, batch, length, ascending);
    to_host(got_keys, out_keys, count);
    to_host(got_values, out_values, count);
    for (uint i = 0; i < count; i++) {
        if (i % length != 0)
            wrong += ascending ? got_keys[i - 1] > got_keys[i] : got_keys[i - 1] < got_keys[i];
        uint from = got_values[i];
        wrong += from >= count || from / length != i / length || seen[from] || keys[from] != got_keys[i];
        if (from < count)
            seen[from] = true;
    }
    if (wrong)
        printf("%u arrays of %u: %u wrong\n", batch, length, wrong);
    cudaFree(in_keys);
    cudaFree(in_values);
    cudaFree(out_keys);
    cudaFree(out_values);
    return wrong != 0;
}

int main()
{
    int wrong = check(16, 64, 1) + check(2, 1024, 0) + check(1, 4096, 1) + check(2, 2048, 0);
    if (!wrong)
        puts("PASS");
}

// out: PASS
