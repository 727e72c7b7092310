// gemm: the matrix product C = alpha A B + beta C, straightforward.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's GEMM.
//
// Characteristic: blocks of 32 x 8 threads, one element of the result for each; a uniform loop that reads a row of A
// (the same address in a warp) and a column of B (contiguous) and adds to the element in global memory in every step,
// as the public kernel does; caches make up for the missing tiles.
//
// usage: gemm [rows [columns [inner]]]

#include "workload.h"

// `rows` x `columns` numbers from -0.5 to 0.5: windows of a longer random row, cheap for large matrices.
static float *random_matrix(int rows, int columns)
{
    float *pattern = (float *)malloc((columns + 61) * sizeof(float));
    float *host = (float *)malloc(rows * columns * sizeof(float));
    for (int i = 0; i < columns + 61; i++)
        pattern[i] = random_unit() - 0.5f;
    for (int i = 0; i < rows; i++)
        memcpy(host + i * columns, pattern + i * 17 % 61, columns * sizeof(float));
    free(pattern);
    return host;
}

#define ALPHA 32412.0f
#define BETA 2123.0f

__global__ void gemm(const float *a, const float *b, float *c, int rows, int columns, int inner)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns) {
        c[i * columns + j] *= BETA;
        for (int k = 0; k < inner; k++)
            c[i * columns + j] += ALPHA * a[i * inner + k] * b[k * columns + j];
    }
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 256);
    int columns = argument(argc, argv, 2, 288);
    int inner = argument(argc, argv, 3, 128);
    float *a = random_matrix(rows, inner), *b = random_matrix(inner, columns), *c = random_matrix(rows, columns);
    float *device_a = to_device(a, rows * inner), *device_b = to_device(b, inner * columns);
    float *device_c = to_device(c, rows * columns);
    dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
    gemm<<<grid, block>>>(device_a, device_b, device_c, rows, columns, inner);
    CHECK(cudaGetLastError());

    float *result = to_host(device_c, rows * columns);
    int stride = (long long)rows * columns * inner <= 100000 ? 1 : rows * columns / 1009;
    for (int at = 0; at < rows * columns; at += stride) {
        double sum = 0, magnitude = 0;
        for (int k = 0; k < inner; k++) {
            double product = (double)a[at / columns * inner + k] * b[k * columns + at % columns];
            sum += product;
            magnitude += fabs(product);
        }
        // The error is that of the sum of magnitudes.
        double scale = ALPHA * magnitude + BETA;
        expect_float("element", at, 0, (result[at] - (ALPHA * sum + BETA * (double)c[at])) / scale, 1e-5);
    }
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));
    return verdict("gemm");
}
