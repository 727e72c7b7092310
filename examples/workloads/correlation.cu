// correlation: the correlation matrix of the columns of a table.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's CORR.
//
// Characteristic: four kernels: means and deviations with one thread for each column (256 in a block, contiguous
// loads), the standardised table (32 x 8), and the correlations, where one thread walks over all later columns: a
// triangular loop whose trip counts differ by one from thread to thread, sums in global memory, and stores of whole
// rows and columns. The last kernel has one thread for each column, too few to fill a GTX 480.
//
// usage: correlation [columns [rows]]

#include "workload.h"

#define EPSILON 0.005f

__global__ void means(float *mean, const float *data, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns) {
        mean[j] = 0.0f;
        for (int i = 0; i < rows; i++)
            mean[j] += data[i * columns + j];
        mean[j] /= rows;
    }
}

__global__ void deviations(const float *mean, float *deviation, const float *data, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns) {
        deviation[j] = 0.0f;
        for (int i = 0; i < rows; i++)
            deviation[j] += (data[i * columns + j] - mean[j]) * (data[i * columns + j] - mean[j]);
        deviation[j] /= rows;
        deviation[j] = sqrtf(deviation[j]);
        // A constant column: no division by almost nothing.
        if (deviation[j] <= EPSILON)
            deviation[j] = 1.0f;
    }
}

__global__ void standardise(const float *mean, const float *deviation, float *data, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns) {
        data[i * columns + j] -= mean[j];
        data[i * columns + j] /= sqrtf((float)rows) * deviation[j];
    }
}

__global__ void correlate(float *matrix, const float *data, int rows, int columns)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < columns) {
        matrix[j1 * columns + j1] = 1.0f;
        for (int j2 = j1 + 1; j2 < columns; j2++) {
            matrix[j1 * columns + j2] = 0.0f;
            for (int i = 0; i < rows; i++)
                matrix[j1 * columns + j2] += data[i * columns + j1] * data[i * columns + j2];
            matrix[j2 * columns + j1] = matrix[j1 * columns + j2];
        }
    }
}

int main(int argc, char **argv)
{
    int columns = argument(argc, argv, 1, 256);
    int rows = argument(argc, argv, 2, 96);
    float *data = (float *)malloc(rows * columns * sizeof(float));
    // Neighbouring columns are correlated; column 3 is constant.
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            data[i * columns + j] = j == 3 ? 2.0f : random_unit() + (j > 0 ? 0.6f * data[i * columns + j - 1] : 0.0f);
    float *device_data = to_device(data, rows * columns);
    float *mean = device_zeros<float>(columns), *deviation = device_zeros<float>(columns);
    float *matrix = device_zeros<float>(columns * columns);
    int blocks = (columns + 255) / 256;
    dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
    means<<<blocks, 256>>>(mean, device_data, rows, columns);
    CHECK(cudaGetLastError());
    deviations<<<blocks, 256>>>(mean, deviation, device_data, rows, columns);
    CHECK(cudaGetLastError());
    standardise<<<grid, block>>>(mean, deviation, device_data, rows, columns);
    CHECK(cudaGetLastError());
    correlate<<<blocks, 256>>>(matrix, device_data, rows, columns);
    CHECK(cudaGetLastError());

    // From the table itself, in double precision.
    float *result = to_host(matrix, columns * columns);
    int stride = columns <= 64 ? 1 : columns * columns / 499;
    for (int at = 0; at < columns * columns; at += stride) {
        int j1 = at / columns, j2 = at % columns;
        double s1 = 0, s2 = 0, s11 = 0, s22 = 0, s12 = 0;
        for (int i = 0; i < rows; i++) {
            double a = data[i * columns + j1], b = data[i * columns + j2];
            s1 += a;
            s2 += b;
            s11 += a * a;
            s22 += b * b;
            s12 += a * b;
        }
        double d1 = s11 - s1 * s1 / rows, d2 = s22 - s2 * s2 / rows, expected = 1;
        if (j1 != j2)
            expected = d1 < 1e-6 || d2 < 1e-6 ? 0 : (s12 - s1 * s2 / rows) / sqrt(d1 * d2);
        expect_float("correlation", at, expected, result[at], 1e-4);
    }
    CHECK(cudaFree(device_data));
    CHECK(cudaFree(mean));
    CHECK(cudaFree(deviation));
    CHECK(cudaFree(matrix));
    return verdict("correlation");
}
