// gesummv: the sum of two products of matrices and a vector, y = alpha A x + beta B x.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's GESUMMV.
//
// Characteristic: blocks of 256 threads, one element of a vector for each; one loop walks along a row of both
// matrices, so that each load touches 32 lines of each, whose rest later steps use if the cache keeps them (64 lines
// for each warp): memory-bound, thrashing, uniform loops, two sums in global memory. There are as many threads as
// rows, so that a matrix that fills a GTX 480 three times (69120 rows) is out of reach.
//
// usage: gesummv [rows]

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

#define ALPHA 43532.0f
#define BETA 12313.0f

__global__ void gesummv(const float *a, const float *b, const float *x, float *y, float *tmp, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < n; j++) {
            tmp[i] += a[i * n + j] * x[j];
            y[i] += b[i * n + j] * x[j];
        }
        y[i] = ALPHA * tmp[i] + BETA * y[i];
    }
}

// Row `i` of a matrix (or column, with `step` the row length) times a vector, and the sum of the terms' magnitudes.
static double product_at(const float *from, int step, const float *vector, int count, double *magnitude)
{
    double sum = 0;
    *magnitude = 1;
    for (int k = 0; k < count; k++) {
        double term = (double)from[k * step] * vector[k];
        sum += term;
        *magnitude += fabs(term);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1536);
    float *a = random_matrix(n, n), *b = random_matrix(n, n), *x = random_matrix(1, n);
    float *device_a = to_device(a, n * n), *device_b = to_device(b, n * n), *device_x = to_device(x, n);
    float *device_y = device_zeros<float>(n), *device_tmp = device_zeros<float>(n);
    gesummv<<<(n + 255) / 256, 256>>>(device_a, device_b, device_x, device_y, device_tmp, n);
    CHECK(cudaGetLastError());

    float *y = to_host(device_y, n);
    int stride = n <= 256 ? 1 : 29;
    for (int i = 0; i < n; i += stride) {
        double size_a, size_b;
        double first = product_at(a + i * n, 1, x, n, &size_a), second = product_at(b + i * n, 1, x, n, &size_b);
        double scale = ALPHA * size_a + BETA * size_b;
        expect_float("element", i, 0, (y[i] - (ALPHA * first + BETA * second)) / scale, 1e-5);
    }
    float *device[] = {device_a, device_b, device_x, device_y, device_tmp};
    for (int i = 0; i < 5; i++)
        CHECK(cudaFree(device[i]));
    return verdict("gesummv");
}
