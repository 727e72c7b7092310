// bicg: the two products of the biconjugate gradient method, A^T r and A p.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's BICG.
//
// Characteristic: blocks of 256 threads, one element of a vector for each; one kernel walks down columns with
// contiguous loads, the other along rows with loads that touch 32 lines; both add to an element in global memory in
// every step. Memory-bound, uniform loops. There are as many threads as rows, so that a matrix that fills a GTX 480
// three times (69120 rows) is out of reach.
//
// usage: bicg [rows [columns]]

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

__global__ void columns_times(const float *a, const float *r, float *s, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns) {
        s[j] = 0.0f;
        for (int i = 0; i < rows; i++)
            s[j] += a[i * columns + j] * r[i];
    }
}

__global__ void rows_times(const float *a, const float *p, float *q, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        q[i] = 0.0f;
        for (int j = 0; j < columns; j++)
            q[i] += a[i * columns + j] * p[j];
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
    int rows = argument(argc, argv, 1, 2048);
    int columns = argument(argc, argv, 2, rows);
    float *a = random_matrix(rows, columns), *r = random_matrix(1, rows), *p = random_matrix(1, columns);
    float *device_a = to_device(a, rows * columns), *device_r = to_device(r, rows), *device_p = to_device(p, columns);
    float *device_s = device_zeros<float>(columns), *device_q = device_zeros<float>(rows);
    columns_times<<<(columns + 255) / 256, 256>>>(device_a, device_r, device_s, rows, columns);
    CHECK(cudaGetLastError());
    rows_times<<<(rows + 255) / 256, 256>>>(device_a, device_p, device_q, rows, columns);
    CHECK(cudaGetLastError());

    float *s = to_host(device_s, columns), *q = to_host(device_q, rows);
    int stride = rows * columns <= 65536 ? 1 : 37;
    double magnitude;
    for (int j = 0; j < columns; j += stride) {
        double sum = product_at(a + j, columns, r, rows, &magnitude);
        expect_float("element of A^T r", j, 0, (s[j] - sum) / magnitude, 1e-5);
    }
    for (int i = 0; i < rows; i += stride) {
        double sum = product_at(a + i * columns, 1, p, columns, &magnitude);
        expect_float("element of A p", i, 0, (q[i] - sum) / magnitude, 1e-5);
    }
    float *device[] = {device_a, device_r, device_p, device_s, device_q};
    for (int i = 0; i < 5; i++)
        CHECK(cudaFree(device[i]));
    return verdict("bicg");
}
