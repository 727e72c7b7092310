// convolution3d: a 3 x 3 x 3 convolution of a volume by a sum of fifteen terms.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's 3DCONV.
//
// Characteristic: one launch for each plane, as in the public program; blocks of 32 x 8 threads, one element for
// each; eleven loads from three planes with affine addresses, a branch that keeps the border's threads out, much
// index arithmetic that is common to all loads; memory-bound.
//
// usage: convolution3d [columns [rows [planes]]]

#include "workload.h"

// The terms: offsets in planes, rows and columns, and the weight, as in the public program (six share two elements).
#define TAPS 15
#define TAP_LIST                                                                                                  \
    {{-1, -1, -1, 2}, {1, -1, -1, 4}, {-1, -1, -1, 5}, {1, -1, -1, 7}, {-1, -1, -1, -8}, {1, -1, -1, 10},         \
     {0, -1, 0, -3}, {0, 0, 0, 6}, {0, 1, 0, -9},                                                                 \
     {-1, -1, 1, 2}, {1, -1, 1, 4}, {-1, 0, 1, 5}, {1, 0, 1, 7}, {-1, 1, 1, -8}, {1, 1, 1, 10}}

__global__ void convolution(const float *in, float *out, int columns, int rows, int planes, int i)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int taps[TAPS][4] = TAP_LIST;
    if (i > 0 && i < planes - 1 && j > 0 && j < rows - 1 && k > 0 && k < columns - 1) {
        float sum = 0.0f;
#pragma unroll
        for (int t = 0; t < TAPS; t++)
            sum += taps[t][3] * in[((i + taps[t][0]) * rows + j + taps[t][1]) * columns + k + taps[t][2]];
        out[(i * rows + j) * columns + k] = sum;
    }
}

int main(int argc, char **argv)
{
    int columns = argument(argc, argv, 1, 288);
    int rows = argument(argc, argv, 2, 256);
    int planes = argument(argc, argv, 3, 14);
    int count = columns * rows * planes;
    float *host = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++)
        host[i] = i % 12 + 2 * (i % 7) + 3 * (i % 13);
    float *in = to_device(host, count), *out = device_zeros<float>(count);
    dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
    for (int i = 1; i < planes - 1; i++) {
        convolution<<<grid, block>>>(in, out, columns, rows, planes, i);
        CHECK(cudaGetLastError());
    }

    static const int taps[TAPS][4] = TAP_LIST;
    float *result = to_host(out, count);
    int stride = count <= 8192 ? 1 : 127;
    for (int at = 0; at < count; at += stride) {
        int k = at % columns, j = at / columns % rows, i = at / (columns * rows);
        double sum = 0;
        if (i > 0 && j > 0 && k > 0 && i < planes - 1 && j < rows - 1 && k < columns - 1)
            for (int t = 0; t < TAPS; t++)
                sum += taps[t][3] * host[((i + taps[t][0]) * rows + j + taps[t][1]) * columns + k + taps[t][2]];
        expect_float("element", at, sum, result[at], 1e-5);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    free(host);
    free(result);
    return verdict("convolution3d");
}
