// sgemm: the matrix product C = alpha A B^T + beta C with tiles in registers; matrices by columns.
//
// A program of the kinds that DAC measures; our text of that paper stops before its list. Modelled on Parboil's SGEMM
// (after Volkov).
//
// Characteristic: blocks of 16 x 8 threads; each thread has a row of 16 elements of the result in registers, reads
// one element of A for each step (contiguous in a warp) and 16 of a tile of 8 x 16 of B in shared memory (the same
// for all threads: broadcasts); two barriers for each tile; addresses affine; compute-bound, many registers, no
// divergence.
//
// usage: sgemm [rows [columns [inner]]]; multiples of 128, 16 and 8

#include "workload.h"

#define TILE_N 16
#define TILE_HEIGHT 8
#define TILE_M (TILE_N * TILE_HEIGHT)

__global__ void sgemm_nt(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int inner, float alpha,
                         float beta)
{
    __shared__ float tile[TILE_HEIGHT][TILE_N];
    float sum[TILE_N];
#pragma unroll
    for (int i = 0; i < TILE_N; i++)
        sum[i] = 0.0f;
    int m = blockIdx.x * TILE_M + threadIdx.y * blockDim.x + threadIdx.x;
    int n = blockIdx.y * TILE_N + threadIdx.x;
    for (int i = 0; i < inner; i += TILE_HEIGHT) {
        tile[threadIdx.y][threadIdx.x] = b[n + (i + threadIdx.y) * ldb];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < TILE_HEIGHT; j++) {
            float element = a[m + (i + j) * lda];
#pragma unroll
            for (int k = 0; k < TILE_N; k++)
                sum[k] += element * tile[j][k];
        }
        __syncthreads();
    }
    int at = ldc * blockIdx.y * TILE_N + m;
#pragma unroll
    for (int i = 0; i < TILE_N; i++)
        c[at + i * ldc] = c[at + i * ldc] * beta + alpha * sum[i];
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 1536);
    int columns = argument(argc, argv, 2, 480);
    int inner = argument(argc, argv, 3, 64);
    if (rows % TILE_M || columns % TILE_N || inner % TILE_HEIGHT) {
        printf("sizes must be multiples of %d, %d and %d\n", TILE_M, TILE_N, TILE_HEIGHT);
        return 2;
    }
    float *a = (float *)malloc(rows * inner * sizeof(float)), *b = (float *)malloc(columns * inner * sizeof(float));
    float *c = (float *)malloc(rows * columns * sizeof(float));
    for (int i = 0; i < rows * inner; i++)
        a[i] = random_unit() - 0.5f;
    for (int i = 0; i < columns * inner; i++)
        b[i] = random_unit() - 0.5f;
    for (int i = 0; i < rows * columns; i++)
        c[i] = i & 15;
    const float alpha = 1.5f, beta = 0.25f;
    float *device_a = to_device(a, rows * inner), *device_b = to_device(b, columns * inner);
    float *device_c = to_device(c, rows * columns);
    sgemm_nt<<<dim3(rows / TILE_M, columns / TILE_N), dim3(TILE_N, TILE_HEIGHT)>>>(device_a, rows, device_b, columns,
                                                                                 device_c, rows, inner, alpha, beta);
    CHECK(cudaGetLastError());
    float *result = to_host(device_c, rows * columns);
    int stride = rows * columns <= 8192 ? 1 : rows * columns / 2003;
    for (int at = 0; at < rows * columns; at += stride) {
        double sum = 0;
        for (int k = 0; k < inner; k++)
            sum += (double)a[at % rows + k * rows] * b[at / rows + k * columns];
        expect_float("element", at, alpha * sum + beta * (double)c[at], result[at], 1e-5);
    }
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));
    return verdict("sgemm");
}
