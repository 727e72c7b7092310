// atax: the product A^T (A x) of a matrix and a vector.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's ATAX.
//
// Characteristic: blocks of 256 threads, one element of a vector for each; the first kernel walks along rows, so that
// neighbouring threads are a whole row apart and each load touches 32 lines, of which later steps use the rest; the
// second walks down columns with contiguous loads; both add to an element in global memory in every step. Memory-
// bound, uniform loops. There are as many threads as rows, so that a matrix that fills a GTX 480 three times (69120
// rows) is out of reach.
//
// usage: atax [rows [columns]]

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

__global__ void rows_times(const float *a, const float *x, float *tmp, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int j = 0; j < columns; j++)
            tmp[i] += a[i * columns + j] * x[j];
}

__global__ void columns_times(const float *a, const float *tmp, float *y, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns)
        for (int i = 0; i < rows; i++)
            y[j] += a[i * columns + j] * tmp[i];
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
    int rows = argument(argc, argv, 1, 2048);
    int columns = argument(argc, argv, 2, rows);
    float *a = random_matrix(rows, columns), *x = random_matrix(1, columns);
    float *device_a = to_device(a, rows * columns), *device_x = to_device(x, columns);
    float *device_tmp = device_zeros<float>(rows), *device_y = device_zeros<float>(columns);
    rows_times<<<(rows + 255) / 256, 256>>>(device_a, device_x, device_tmp, rows, columns);
    CHECK(cudaGetLastError());
    columns_times<<<(columns + 255) / 256, 256>>>(device_a, device_tmp, device_y, rows, columns);
    CHECK(cudaGetLastError());

    // The second product is checked from the device's first one.
    float *tmp = to_host(device_tmp, rows), *y = to_host(device_y, columns);
    int stride = rows * columns <= 65536 ? 1 : 37;
    double magnitude;
    for (int i = 0; i < rows; i += stride) {
        double sum = product_at(a + i * columns, 1, x, columns, &magnitude);
        expect_float("element of A x", i, 0, (tmp[i] - sum) / magnitude, 1e-5);
    }
    for (int j = 0; j < columns; j += stride) {
        double sum = product_at(a + j, columns, tmp, rows, &magnitude);
        expect_float("element of the result", j, 0, (y[j] - sum) / magnitude, 1e-5);
    }
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_x));
    CHECK(cudaFree(device_tmp));
    CHECK(cudaFree(device_y));
    return verdict("atax");
}
