// histogram256: the histogram of bytes, with one histogram for each warp in shared memory.
//
// A program of the kinds that DAC measures; our text of that paper stops before its list. Modelled on the CUDA SDK's
// histogram256.
//
// Characteristic: blocks of 192 threads, whose six warps have a histogram of 256 counters each; words of four bytes
// are read in steps of the whole grid, contiguously; each byte is an atomic addition in shared memory, with
// conflicts that depend on the data (lanes of a warp with the same byte). Then the block's histograms are added and
// stored, and a second kernel adds those of all blocks, one block for each counter, in a tree.
//
// usage: histogram256 [blocks [words for each thread]]

#include "workload.h"

#define BINS 256
#define WARPS 6
#define THREADS (32 * WARPS)
#define MERGE_THREADS 256

__device__ static void add_byte(unsigned *histogram, unsigned byte)
{
    atomicAdd(histogram + byte, 1u);
}

__global__ void histogram(unsigned *partial, const unsigned *data, int words)
{
    __shared__ unsigned counts[WARPS * BINS];
    unsigned *own = counts + (threadIdx.x >> 5) * BINS;
    // Each thread clears as many counters as it stands for.
#pragma unroll
    for (int i = 0; i < BINS / 32; i++)
        counts[threadIdx.x + i * THREADS] = 0;
    __syncthreads();
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < words; at += blockDim.x * gridDim.x) {
        unsigned word = data[at];
        add_byte(own, word & 255);
        add_byte(own, word >> 8 & 255);
        add_byte(own, word >> 16 & 255);
        add_byte(own, word >> 24);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        unsigned sum = 0;
        for (int i = 0; i < WARPS; i++)
            sum += counts[bin + i * BINS];
        partial[blockIdx.x * BINS + bin] = sum;
    }
}

__global__ void merge(unsigned *result, const unsigned *partial, int count)
{
    __shared__ unsigned sums[MERGE_THREADS];
    unsigned sum = 0;
    for (int i = threadIdx.x; i < count; i += MERGE_THREADS)
        sum += partial[blockIdx.x + i * BINS];
    sums[threadIdx.x] = sum;
    for (int stride = MERGE_THREADS / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride)
            sums[threadIdx.x] += sums[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        result[blockIdx.x] = sums[0];
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 360);
    int words = blocks * THREADS * argument(argc, argv, 2, 12);
    unsigned *data = (unsigned *)malloc(words * sizeof(unsigned));
    for (int i = 0; i < words; i++)
        data[i] = random_bits();
    unsigned *device_data = to_device(data, words);
    unsigned *partial = device_zeros<unsigned>(blocks * BINS), *device_result = device_zeros<unsigned>(BINS);
    histogram<<<blocks, THREADS>>>(partial, device_data, words);
    CHECK(cudaGetLastError());
    merge<<<BINS, MERGE_THREADS>>>(device_result, partial, blocks);
    CHECK(cudaGetLastError());

    int expected[BINS];
    memset(expected, 0, sizeof expected);
    const unsigned char *bytes = (const unsigned char *)data;
    for (int i = 0; i < 4 * words; i++)
        expected[bytes[i]]++;
    unsigned *result = to_host(device_result, BINS);
    for (int i = 0; i < BINS; i++)
        expect_int("counter", i, expected[i], result[i]);
    CHECK(cudaFree(device_data));
    CHECK(cudaFree(partial));
    CHECK(cudaFree(device_result));
    return verdict("histogram256");
}
