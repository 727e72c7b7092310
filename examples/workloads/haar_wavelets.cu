// haar_wavelets: the Haar wavelet decomposition of a signal in one dimension.
//
// Measured in chapter 4 of the dissertation (DWTHARR in Table 4.2) and in BCC ("DWTH" in Table 1, a coherent kernel).
// Modelled on the CUDA SDK's sample "dwtHaar1D".
//
// Characteristic: a block takes 1024 samples through ten levels in shared memory (its index padded against bank
// conflicts); at each level the first half of the threads go on: whole warps first, then 16, 8, 4, 2, 1 lanes of the
// first warp, by thread number alone, never compactable. A barrier at each level.
//
// usage: haar_wavelets [samples]     (a power of two from 2)

#include "workload.h"

#define HALF_SQRT 0.70710678118654752f
#define PAD(i) ((i) + ((i) >> 4))

// `approximation` gets what is left of each block; `details`, the coefficients of all levels, at their final places.
__global__ void haar_levels(const float *signal, float *details, float *approximation, unsigned int levels,
                            unsigned int half_length)
{
    __shared__ float part[PAD(1024) + 1];
    unsigned int block_size = blockDim.x, thread = threadIdx.x, at = blockIdx.x * block_size + thread;
    unsigned int from = blockIdx.x * 2 * block_size + thread;
    part[thread] = signal[from];
    part[thread + block_size] = signal[from + block_size];
    __syncthreads();
    float data0 = part[2 * thread], data1 = part[2 * thread + 1];
    __syncthreads();
    details[at + half_length] = (data0 - data1) * HALF_SQRT;
    part[PAD(thread)] = (data0 + data1) * HALF_SQRT;
    __syncthreads();
    if (levels > 1) {
        unsigned int neighbour = 1, active = block_size >> 1, first = thread * 2;
        for (unsigned int level = 1; level < levels; level++) {
            if (thread < active) {
                unsigned int second = first + neighbour;
                float a = part[PAD(first)], b = part[PAD(second)];
                details[active * gridDim.x + active * blockIdx.x + thread] = (a - b) * HALF_SQRT;
                part[PAD(first)] = (a + b) * HALF_SQRT;
                active >>= 1;
                neighbour <<= 1;
                first <<= 1;
            }
            __syncthreads();
        }
    }
    if (thread == 0)
        approximation[blockIdx.x] = part[0];
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 4096);
    if (count < 2 || (count & (count - 1))) {
        printf("samples: a power of two from 2\n");
        return 2;
    }
    float *signal = (float *)malloc(count * sizeof(float));
    double *expected = (double *)malloc(count * sizeof(double)), *level = (double *)malloc(count * sizeof(double));
    for (int i = 0; i < count; i++)
        level[i] = signal[i] = random_unit() - 0.5f;

    float *from = to_device(signal, count), *to = device_zeros<float>(count), *details = device_zeros<float>(count);
    for (int length = count; length > 1;) {
        int threads = length / 2 < 512 ? length / 2 : 512, blocks = length / 2 / threads, levels = 0;
        while (threads >> levels)
            levels++;
        haar_levels<<<blocks, threads>>>(from, details, to, levels, length / 2);
        float *kept = from;
        from = to;
        to = kept;
        length = blocks;
    }
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(details, count), *mean = to_host(from, 1);
    for (int half = count / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            expected[half + i] = (level[2 * i] - level[2 * i + 1]) * sqrt(0.5);
            level[i] = (level[2 * i] + level[2 * i + 1]) * sqrt(0.5);
        }
    }
    int sample = 1 + count / 32768;
    for (int i = 1; i < count; i += i < 64 ? 1 : sample)
        expect_float("coefficient", i, expected[i], found[i], 1e-4);
    expect_float("approximation", 0, level[0], mean[0], 1e-3);
    return verdict("haar_wavelets");
}
