// bitonic: sorts integers with a bitonic network.
//
// The network compares fixed pairs of positions, which suits a GPU: who compares with whom never
// depends on the data, only whether they swap. Stages whose pairs lie in one block's chunk run in
// shared memory with a barrier after each step; steps across chunks are one launch each.
//
// usage: bitonic [n]

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef N
#define N 65536
#endif
// Each thread handles one pair, so a block sorts 2 * BLOCK elements. A power of two.
#ifndef BLOCK
#define BLOCK 256
#endif
#define CHUNK (2 * BLOCK)

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

// Puts a pair in order; `ascending` says which order.
__device__ void compare_swap(int *low, int *high, bool ascending)
{
    int a = *low, b = *high;
    if ((a > b) == ascending) {
        *low = b;
        *high = a;
    }
}

// The lower position of a thread's pair: the thread number with a zero bit inserted at `stride`.
__device__ unsigned pair_position(unsigned thread, unsigned stride)
{
    return 2 * thread - (thread & (stride - 1));
}

// All steps, from `stride` down, of the stages `size` to `last`, which stay inside a chunk.
__global__ void sort_chunk(int *data, unsigned size, unsigned last)
{
    __shared__ int chunk[CHUNK];
    unsigned thread = threadIdx.x;
    unsigned base = blockIdx.x * CHUNK;
    chunk[thread] = data[base + thread];
    chunk[thread + BLOCK] = data[base + thread + BLOCK];

    for (; size <= last; size *= 2) {
        unsigned stride = size / 2 < BLOCK ? size / 2 : BLOCK;
        for (; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned i = pair_position(thread, stride);
            // Runs of `size` alternate in direction over the whole array, not over the chunk.
            compare_swap(&chunk[i], &chunk[i + stride], ((base + i) & size) == 0);
        }
    }

    __syncthreads();
    data[base + thread] = chunk[thread];
    data[base + thread + BLOCK] = chunk[thread + BLOCK];
}

// One step whose pairs are further apart than a chunk.
__global__ void merge_step(int *data, unsigned size, unsigned stride)
{
    unsigned i = pair_position(blockIdx.x * blockDim.x + threadIdx.x, stride);
    compare_swap(data + i, data + i + stride, (i & size) == 0);
}

// The reference: a bottom-up merge sort, which shares nothing with the network.
void merge_sort(int *data, int *scratch, int n)
{
    for (int width = 1; width < n; width *= 2) {
        for (int start = 0; start < n; start += 2 * width) {
            int middle = start + width < n ? start + width : n;
            int end = start + 2 * width < n ? start + 2 * width : n;
            int left = start, right = middle;
            for (int i = start; i < end; i++) {
                if (left < middle && (right >= end || data[left] <= data[right]))
                    scratch[i] = data[left++];
                else
                    scratch[i] = data[right++];
            }
        }
        for (int i = 0; i < n; i++)
            data[i] = scratch[i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    if (n < 1 || n > 1 << 28) {
        printf("usage: bitonic [n], n from 1 to 2^28\n");
        return 2;
    }

    // The network needs a power of two, and whole chunks: the rest is filled with the largest
    // integer, which sorts to the end and is not copied back.
    int padded = CHUNK;
    while (padded < n)
        padded <<= 1;
    int *input = (int *)malloc(padded * sizeof(int));
    int *output = (int *)malloc(n * sizeof(int));
    int *scratch = (int *)malloc(n * sizeof(int));
    srand(6);
    for (int i = 0; i < padded; i++)
        input[i] = i < n ? (rand() & 0xffff) - 0x8000 : 0x7fffffff;

    int *device_data;
    CHECK(cudaMalloc(&device_data, padded * sizeof(int)));
    CHECK(cudaMemcpy(device_data, input, padded * sizeof(int), cudaMemcpyHostToDevice));

    int blocks = padded / CHUNK;
    int launches = 1;
    sort_chunk<<<blocks, BLOCK>>>(device_data, 2, CHUNK);
    for (int size = 2 * CHUNK; size <= padded; size *= 2) {
        for (int stride = size / 2; stride >= CHUNK; stride /= 2, launches++)
            merge_step<<<blocks, BLOCK>>>(device_data, size, stride);
        sort_chunk<<<blocks, BLOCK>>>(device_data, size, size);
        launches++;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(output, device_data, n * sizeof(int), cudaMemcpyDeviceToHost));

    printf("bitonic: %d elements, %d launches\n", n, launches);
    merge_sort(input, scratch, n);
    int failed = 0;
    for (int i = 0; i < n && !failed; i++) {
        if (output[i] != input[i]) {
            printf("mismatch at %d: expected %d, got %d\n", i, input[i], output[i]);
            failed = 1;
        }
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    CHECK(cudaFree(device_data));
    free(input);
    free(output);
    free(scratch);
    return failed;
}
