// syrk: the symmetric update C = alpha A A^T + beta C.
//
// A regular program of DAC's kind; our text of that paper stops before its list. Modelled on PolyBench/GPU's SYRK.
//
// Characteristic: blocks of 32 x 8 threads, one element of the result for each; a uniform loop that reads one row of
// A (the same address in a warp) and another row for each thread (a stride of a whole row between neighbouring
// threads, so that one load touches 32 lines), and adds to the element in global memory in every step.
//
// usage: syrk [rows [columns of A]]

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

#define ALPHA 12435.0f
#define BETA 4546.0f

__global__ void syrk(const float *a, float *c, int rows, int inner)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < rows) {
        c[i * rows + j] *= BETA;
        for (int k = 0; k < inner; k++)
            c[i * rows + j] += ALPHA * a[i * inner + k] * a[j * inner + k];
    }
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 288);
    int inner = argument(argc, argv, 2, 64);
    float *a = random_matrix(rows, inner), *c = random_matrix(rows, rows);
    float *device_a = to_device(a, rows * inner), *device_c = to_device(c, rows * rows);
    dim3 block(32, 8), grid((rows + 31) / 32, (rows + 7) / 8);
    syrk<<<grid, block>>>(device_a, device_c, rows, inner);
    CHECK(cudaGetLastError());

    float *result = to_host(device_c, rows * rows);
    int stride = (long long)rows * rows * inner <= 100000 ? 1 : rows * rows / 1009;
    for (int at = 0; at < rows * rows; at += stride) {
        double sum = 0, magnitude = 0;
        for (int k = 0; k < inner; k++) {
            double product = (double)a[at / rows * inner + k] * a[at % rows * inner + k];
            sum += product;
            magnitude += fabs(product);
        }
        double scale = ALPHA * magnitude + BETA;
        expect_float("element", at, 0, (result[at] - (ALPHA * sum + BETA * (double)c[at])) / scale, 1e-5);
    }
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_c));
    return verdict("syrk");
}
