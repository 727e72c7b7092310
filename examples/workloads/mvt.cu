// mvt: two products of a matrix and a vector, x1 += A y1 and x2 += A^T y2.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's MVT.
//
// Characteristic: blocks of 256 threads, one element of a vector for each; the first kernel walks along rows, so
// that each load touches 32 lines, of which later steps use the rest; the second walks down columns with contiguous
// loads; both add to an element in global memory in every step. Memory-bound, uniform loops. There are as many
// threads as rows, so that a matrix that fills a GTX 480 three times (69120 rows) is out of reach.
//
// usage: mvt [rows]

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

__global__ void add_rows(const float *a, float *x1, const float *y1, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; j++)
            x1[i] += a[i * n + j] * y1[j];
}

__global__ void add_columns(const float *a, float *x2, const float *y2, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; j++)
            x2[i] += a[j * n + i] * y2[j];
}

// Compares one element with `start` plus the product of `count` numbers `step` apart and a vector.
static void check_element(const char *what, int at, const float *from, int step, const float *vector, int count,
                          double start, double found)
{
    double sum = start, magnitude = 1;
    for (int k = 0; k < count; k++) {
        double term = (double)from[k * step] * vector[k];
        sum += term;
        magnitude += fabs(term);
    }
    expect_float(what, at, 0, (found - sum) / magnitude, 1e-5);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 2048);
    float *a = random_matrix(n, n), *x1 = random_matrix(1, n), *x2 = random_matrix(1, n);
    float *y1 = random_matrix(1, n), *y2 = random_matrix(1, n);
    float *device_a = to_device(a, n * n), *device_x1 = to_device(x1, n), *device_x2 = to_device(x2, n);
    float *device_y1 = to_device(y1, n), *device_y2 = to_device(y2, n);
    add_rows<<<(n + 255) / 256, 256>>>(device_a, device_x1, device_y1, n);
    CHECK(cudaGetLastError());
    add_columns<<<(n + 255) / 256, 256>>>(device_a, device_x2, device_y2, n);
    CHECK(cudaGetLastError());

    float *found1 = to_host(device_x1, n), *found2 = to_host(device_x2, n);
    int stride = n <= 256 ? 1 : 37;
    for (int i = 0; i < n; i += stride) {
        check_element("element of x1", i, a + i * n, 1, y1, n, x1[i], found1[i]);
        check_element("element of x2", i, a + i, n, y2, n, x2[i], found2[i]);
    }
    float *device[] = {device_a, device_x1, device_x2, device_y1, device_y2};
    for (int i = 0; i < 5; i++)
        CHECK(cudaFree(device[i]));
    return verdict("mvt");
}
