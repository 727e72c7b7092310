// sorting_network: sorts (key, value) pairs by two of Batcher's networks, bitonic and odd-even merge: batches of short
// arrays within shared memory, and long arrays by further kernels in global memory.
//
// Measured in chapter 4 of the dissertation (SORTNW in Table 4.2; its comparator is Figure 4.11(b)). Modelled on the
// CUDA SDK's sample "sortingNetworks", which sorts batches of arrays of 64 elements and more by both networks.
//
// Characteristic: a thread is a pair of elements, so all threads are active in the bitonic network, and the only branch
// is the swap: `(key > other) == direction` mixes data and thread number (a data-dependent branch). In the odd-even
// network threads whose offset lies below the stride do nothing, by number alone. Long arrays alternate kernels
// in global memory with a merge in shared memory.
//
// usage: sorting_network [elements] [elements of an array]     (powers of two, arrays of at least 64)

#include "workload.h"

#define SHARED_LIMIT 1024

__device__ inline void compare_and_swap(unsigned int &key_a, unsigned int &value_a, unsigned int &key_b,
                                        unsigned int &value_b, unsigned int direction)
{
    if ((key_a > key_b) == direction) {
        unsigned int kept = key_a;
        key_a = key_b;
        key_b = kept;
        kept = value_a;
        value_a = value_b;
        value_b = kept;
    }
}

// Loads a block's SHARED_LIMIT elements, of which each thread takes two, SHARED_LIMIT / 2 apart.
__device__ inline void load(unsigned int *s_key, unsigned int *s_val, const unsigned int *keys,
                            const unsigned int *values)
{
    int at = blockIdx.x * SHARED_LIMIT + threadIdx.x;
    s_key[threadIdx.x] = keys[at];
    s_val[threadIdx.x] = values[at];
    s_key[threadIdx.x + SHARED_LIMIT / 2] = keys[at + SHARED_LIMIT / 2];
    s_val[threadIdx.x + SHARED_LIMIT / 2] = values[at + SHARED_LIMIT / 2];
}

__device__ inline void store(const unsigned int *s_key, const unsigned int *s_val, unsigned int *keys,
                             unsigned int *values)
{
    int at = blockIdx.x * SHARED_LIMIT + threadIdx.x;
    keys[at] = s_key[threadIdx.x];
    values[at] = s_val[threadIdx.x];
    keys[at + SHARED_LIMIT / 2] = s_key[threadIdx.x + SHARED_LIMIT / 2];
    values[at + SHARED_LIMIT / 2] = s_val[threadIdx.x + SHARED_LIMIT / 2];
}

// Sorts arrays of `length` elements that fit in shared memory, ascending. With `alternate`, a block is one half of a
// longer bitonic array, and every second one is sorted the other way.
__global__ void bitonic_shared(unsigned int *out_keys, unsigned int *out_values, const unsigned int *keys,
                               const unsigned int *values, unsigned int length, unsigned int alternate)
{
    __shared__ unsigned int s_key[SHARED_LIMIT], s_val[SHARED_LIMIT];
    load(s_key, s_val, keys, values);
    for (unsigned int size = 2; size < length; size <<= 1) {
        unsigned int ddd = (threadIdx.x & (size / 2)) == 0;
        for (unsigned int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            compare_and_swap(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
        }
    }
    unsigned int ddd = alternate ? (blockIdx.x + 1) & 1 : 1;
    for (unsigned int stride = length / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        compare_and_swap(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
    }
    __syncthreads();
    store(s_key, s_val, out_keys, out_values);
}

// One step of a merge whose stride is too long for shared memory.
__global__ void bitonic_merge_global(unsigned int *keys, unsigned int *values, unsigned int length, unsigned int size,
                                     unsigned int stride)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int comparator = i & (length / 2 - 1);
    unsigned int ddd = (comparator & (size / 2)) == 0;
    unsigned int pos = 2 * i - (i & (stride - 1));
    unsigned int key_a = keys[pos], value_a = values[pos];
    unsigned int key_b = keys[pos + stride], value_b = values[pos + stride];
    compare_and_swap(key_a, value_a, key_b, value_b, ddd);
    keys[pos] = key_a;
    values[pos] = value_a;
    keys[pos + stride] = key_b;
    values[pos + stride] = value_b;
}

// The remaining steps of a merge.
__global__ void bitonic_merge_shared(unsigned int *keys, unsigned int *values, unsigned int length, unsigned int size)
{
    __shared__ unsigned int s_key[SHARED_LIMIT], s_val[SHARED_LIMIT];
    load(s_key, s_val, keys, values);
    unsigned int comparator = (blockIdx.x * blockDim.x + threadIdx.x) & (length / 2 - 1);
    unsigned int ddd = (comparator & (size / 2)) == 0;
    for (unsigned int stride = SHARED_LIMIT / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        compare_and_swap(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
    }
    __syncthreads();
    store(s_key, s_val, keys, values);
}

// Sorts arrays of `length` elements that fit in shared memory by the odd-even merge network.
__global__ void odd_even_shared(unsigned int *out_keys, unsigned int *out_values, const unsigned int *keys,
                                const unsigned int *values, unsigned int length)
{
    __shared__ unsigned int s_key[SHARED_LIMIT], s_val[SHARED_LIMIT];
    load(s_key, s_val, keys, values);
    for (unsigned int size = 2; size <= length; size <<= 1) {
        unsigned int stride = size / 2;
        unsigned int offset = threadIdx.x & (stride - 1);
        __syncthreads();
        unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        compare_and_swap(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], 1);
        stride >>= 1;
        for (; stride > 0; stride >>= 1) {
            __syncthreads();
            pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            if (offset >= stride)
                compare_and_swap(s_key[pos - stride], s_val[pos - stride], s_key[pos], s_val[pos], 1);
        }
    }
    __syncthreads();
    store(s_key, s_val, out_keys, out_values);
}

// One step of an odd-even merge in global memory.
__global__ void odd_even_global(unsigned int *keys, unsigned int *values, unsigned int length, unsigned int size,
                                unsigned int stride)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int pos = 2 * i - (i & (stride - 1));
    if (stride < size / 2) {
        unsigned int offset = i & (size / 2 - 1);
        if (offset >= stride) {
            unsigned int key_a = keys[pos - stride], value_a = values[pos - stride];
            unsigned int key_b = keys[pos], value_b = values[pos];
            compare_and_swap(key_a, value_a, key_b, value_b, 1);
            keys[pos - stride] = key_a;
            values[pos - stride] = value_a;
            keys[pos] = key_b;
            values[pos] = value_b;
        }
    } else {
        unsigned int key_a = keys[pos], value_a = values[pos];
        unsigned int key_b = keys[pos + stride], value_b = values[pos + stride];
        compare_and_swap(key_a, value_a, key_b, value_b, 1);
        keys[pos] = key_a;
        values[pos] = value_a;
        keys[pos + stride] = key_b;
        values[pos + stride] = value_b;
    }
}

static void sort_bitonic(unsigned int *out_keys, unsigned int *out_values, const unsigned int *keys,
                         const unsigned int *values, unsigned int count, unsigned int length)
{
    unsigned int blocks = count / SHARED_LIMIT;
    if (length <= SHARED_LIMIT) {
        bitonic_shared<<<blocks, SHARED_LIMIT / 2>>>(out_keys, out_values, keys, values, length, 0);
        return;
    }
    bitonic_shared<<<blocks, SHARED_LIMIT / 2>>>(out_keys, out_values, keys, values, SHARED_LIMIT, 1);
    for (unsigned int size = 2 * SHARED_LIMIT; size <= length; size <<= 1) {
        unsigned int stride = size / 2;
        for (; stride >= SHARED_LIMIT; stride >>= 1)
            bitonic_merge_global<<<count / 512, 256>>>(out_keys, out_values, length, size, stride);
        bitonic_merge_shared<<<blocks, SHARED_LIMIT / 2>>>(out_keys, out_values, length, size);
    }
}

static void sort_odd_even(unsigned int *out_keys, unsigned int *out_values, const unsigned int *keys,
                          const unsigned int *values, unsigned int count, unsigned int length)
{
    unsigned int in_shared = length < SHARED_LIMIT ? length : SHARED_LIMIT;
    odd_even_shared<<<count / SHARED_LIMIT, SHARED_LIMIT / 2>>>(out_keys, out_values, keys, values, in_shared);
    for (unsigned int size = 2 * SHARED_LIMIT; size <= length; size <<= 1)
        for (unsigned int stride = size / 2; stride > 0; stride >>= 1)
            odd_even_global<<<count / 512, 256>>>(out_keys, out_values, length, size, stride);
}

// Each array must be in order, and each key must still have a value that it had in the input: values are places in the
// input, and none may come twice.
static void compare(const char *what, const unsigned int *input, const unsigned int *out_keys,
                    const unsigned int *out_values, int count, int length)
{
    unsigned int *keys = to_host(out_keys, count), *values = to_host(out_values, count);
    unsigned char *seen = (unsigned char *)calloc(count, 1);
    int disorder = 0, strange = 0;
    for (int i = 0; i < count; i++) {
        if (i % length != 0 && keys[i - 1] > keys[i])
            disorder++;
        unsigned int place = values[i];
        if ((int)place >= count || seen[place] || input[place] != keys[i] || (int)place / length != i / length)
            strange++;
        else
            seen[place] = 1;
    }
    printf("%s: %d elements in arrays of %d\n", what, count, length);
    expect_int("elements out of order", 0, 0, disorder);
    expect_int("keys with wrong values", 0, 0, strange);
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 4096), length = argument(argc, argv, 2, 512);
    if (count % SHARED_LIMIT || length < 64 || (length & (length - 1)) || count % length) {
        printf("elements: a multiple of %d and of an array's; an array's: a power of two from 64\n", SHARED_LIMIT);
        return 2;
    }
    unsigned int *keys = (unsigned int *)malloc(count * sizeof(int));
    unsigned int *places = (unsigned int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) {
        keys[i] = random_below(65536);
        places[i] = i;
    }
    unsigned int *in_keys = to_device(keys, count), *in_values = to_device(places, count);
    unsigned int *out_keys = device_zeros<unsigned int>(count), *out_values = device_zeros<unsigned int>(count);

    sort_bitonic(out_keys, out_values, in_keys, in_values, count, length);
    CHECK(cudaDeviceSynchronize());
    compare("bitonic", keys, out_keys, out_values, count, length);

    sort_odd_even(out_keys, out_values, in_keys, in_values, count, length);
    CHECK(cudaDeviceSynchronize());
    compare("odd-even", keys, out_keys, out_values, count, length);
    return verdict("sorting_network");
}
