// convolution2d: a 3 x 3 convolution of an image.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's 2DCONV.
//
// Characteristic: blocks of 32 x 8 threads, one element of the result for each; nine loads with affine addresses,
// straight from global memory, of which the cache serves most; a branch keeps the border's threads out; memory-bound.
//
// usage: convolution2d [width [height]]

#include "workload.h"

// The weights by row and column, as in the public program.
#define WEIGHTS {{0.2f, -0.3f, 0.4f}, {0.5f, 0.6f, 0.7f}, {-0.8f, -0.9f, 0.10f}}

__global__ void convolution(const float *in, float *out, int width, int height)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    const float w[3][3] = WEIGHTS;
    if (i > 0 && j > 0 && i < height - 1 && j < width - 1)
        out[i * width + j] = w[0][0] * in[(i - 1) * width + j - 1] + w[0][1] * in[i * width + j - 1]
                           + w[0][2] * in[(i + 1) * width + j - 1] + w[1][0] * in[(i - 1) * width + j]
                           + w[1][1] * in[i * width + j] + w[1][2] * in[(i + 1) * width + j]
                           + w[2][0] * in[(i - 1) * width + j + 1] + w[2][1] * in[i * width + j + 1]
                           + w[2][2] * in[(i + 1) * width + j + 1];
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 1536);
    int height = argument(argc, argv, 2, 1024);
    int count = width * height;
    float *host = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++)
        host[i] = random_unit();
    float *in = to_device(host, count), *out = device_zeros<float>(count);
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    convolution<<<grid, block>>>(in, out, width, height);
    CHECK(cudaGetLastError());

    static const float w[3][3] = WEIGHTS;
    float *result = to_host(out, count);
    int stride = count <= 4096 ? 1 : 61;
    for (int at = 0; at < count; at += stride) {
        int x = at % width, y = at / width;
        double sum = 0;
        if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
            for (int dx = -1; dx <= 1; dx++)
                for (int dy = -1; dy <= 1; dy++)
                    sum += (double)w[dx + 1][dy + 1] * host[(y + dy) * width + x + dx];
        expect_float("pixel", at, sum, result[at], 1e-5);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    free(host);
    free(result);
    return verdict("convolution2d");
}
