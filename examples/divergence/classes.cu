// classes: a histogram whose bins are found by a tree of branches, and with work of its own for each class:
// several ways of different length, from which a warp's threads choose by their data.
//
// usage: classes [values]

#include "check.h"

#define BINS 6

__host__ __device__ int classify(int value, int *weight)
{
    int w = value & 15;
    int bin;
    if (value < 300) {
        if (value < 100) {
            bin = 0;
            w += 1;
        } else {
            bin = 1;
            for (int i = 0; i < 4; i++)
                w = w * 5 + i & 1023;
        }
    } else if (value < 700) {
        if (value & 1) {
            bin = 2;
            for (int i = 0; i < 8; i++)
                w = (w << 1 ^ i) & 511;
        } else {
            bin = 3;
            for (int i = 0; i < 8; i++)
                w = (w * 3 + i) & 511;
        }
    } else {
        bin = value % 3 ? 4 : 5;
        w ^= value >> 3;
    }
    *weight = w;
    return bin;
}

__global__ void classes(const int *values, int *bins, int count)
{
    __shared__ int part[BINS];
    if (threadIdx.x < BINS)
        part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        int weight;
        int bin = classify(values[i], &weight);
        atomicAdd(&part[bin], weight);
    }
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}

int main(int argc, char **argv)
{
    int count = number(argc, argv, 1, 12000);
    int *values = (int *)malloc(count * sizeof(int));
    int expected[BINS] = {0};
    for (int i = 0; i < count; i++) {
        int weight;
        values[i] = random_below(1000);
        int bin = classify(values[i], &weight);
        expected[bin] += weight;
    }
    int *bins = on_device(NULL, BINS);
    classes<<<60, 256>>>(on_device(values, count), bins, count);
    CHECK(cudaDeviceSynchronize());
    return verdict("classes", expected, bins, BINS);
}
