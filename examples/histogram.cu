// histogram: counts byte values with atomics, privatised in shared memory.
//
// A few hot bins would serialise a million global atomics. Every block counts into its own 256
// bins in shared memory, where atomics are cheap and contend with one block only, and adds them
// to the result at the end. The grid is fixed; each thread strides over the data.
//
// usage: histogram [n]

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef N
#define N (1 << 20)
#endif
#ifndef BLOCK
#define BLOCK 256
#endif
#ifndef MAX_BLOCKS
#define MAX_BLOCKS 64
#endif
#define BINS 256

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__global__ void histogram(const unsigned char *data, unsigned int n, unsigned int *bins)
{
    __shared__ unsigned int local[BINS];
    for (unsigned int i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    __syncthreads();

    unsigned int stride = blockDim.x * gridDim.x;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();

    for (unsigned int i = threadIdx.x; i < BINS; i += blockDim.x) {
        // Most blocks of a small run never see most values.
        if (local[i])
            atomicAdd(bins + i, local[i]);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    if (n < 1) {
        printf("usage: histogram [n], n at least 1\n");
        return 2;
    }

    unsigned char *data = (unsigned char *)malloc(n);
    unsigned int expected[BINS] = {0};
    unsigned int bins[BINS];
    srand(7);
    for (int i = 0; i < n; i++) {
        // Two dice make the middle values common, and a run of one value out of every eight
        // makes whole warps hit the same bin.
        int random = rand();
        unsigned char value = (random & 127) + (random >> 7 & 127);
        if ((i >> 6 & 7) == 0)
            value = 255;
        data[i] = value;
        expected[value]++;
    }

    unsigned char *device_data;
    unsigned int *device_bins;
    CHECK(cudaMalloc((void **)&device_data, n));
    CHECK(cudaMalloc((void **)&device_bins, BINS * sizeof(unsigned int)));
    CHECK(cudaMemcpy(device_data, data, n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_bins, 0, BINS * sizeof(unsigned int)));

    int blocks = (n + BLOCK - 1) / BLOCK;
    if (blocks > MAX_BLOCKS)
        blocks = MAX_BLOCKS;
    histogram<<<blocks, BLOCK>>>(device_data, n, device_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(bins, device_bins, sizeof(bins), cudaMemcpyDeviceToHost));

    unsigned int fullest = 0;
    for (int i = 1; i < BINS; i++)
        fullest = bins[i] > bins[fullest] ? i : fullest;
    printf("histogram: %d bytes, bin %u is the fullest with %u\n", n, fullest, bins[fullest]);
    int failed = 0;
    for (int i = 0; i < BINS; i++) {
        if (bins[i] != expected[i]) {
            printf("mismatch at bin %d: expected %u, got %u\n", i, expected[i], bins[i]);
            failed = 1;
            break;
        }
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    CHECK(cudaFree(device_data));
    CHECK(cudaFree(device_bins));
    free(data);
    return failed;
}
