// matrix_multiply: the product of two matrices with tiles in shared memory.
//
// BCC (Table 1) measures a matrix multiplication; DAC's kind too, but our text of that paper stops before its list.
// Modelled on the CUDA SDK's matrixMul.
//
// Characteristic: blocks of 16 x 16 threads, one element for each; two tiles of 16 x 16 in shared memory for each
// step, two barriers for each tile, an unrolled inner loop of shared loads (one a broadcast) and multiply-adds;
// addresses affine in thread and block numbers (a warp covers two rows of 16); compute-bound, no divergence.
//
// usage: matrix_multiply [rows of A [columns of B [columns of A]]]; multiples of 16

#include "workload.h"

#define TILE 16

__global__ void multiply(float *c, const float *a, const float *b, int width_a, int width_b)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int begin = width_a * TILE * by;
    int end = begin + width_a - 1;
    float sum = 0.0f;
    for (int at_a = begin, at_b = TILE * bx; at_a <= end; at_a += TILE, at_b += TILE * width_b) {
        __shared__ float tile_a[TILE][TILE];
        __shared__ float tile_b[TILE][TILE];
        tile_a[ty][tx] = a[at_a + width_a * ty + tx];
        tile_b[ty][tx] = b[at_b + width_b * ty + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        // The tiles are read before the next step overwrites them.
        __syncthreads();
    }
    c[width_b * TILE * by + TILE * bx + width_b * ty + tx] = sum;
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 256);
    int columns = argument(argc, argv, 2, 288);
    int inner = argument(argc, argv, 3, 256);
    if (rows % TILE || columns % TILE || inner % TILE) {
        printf("sizes must be multiples of %d\n", TILE);
        return 2;
    }
    float *a = (float *)malloc(rows * inner * sizeof(float)), *b = (float *)malloc(inner * columns * sizeof(float));
    for (int i = 0; i < rows * inner; i++)
        a[i] = random_unit() - 0.5f;
    for (int i = 0; i < inner * columns; i++)
        b[i] = random_unit() - 0.5f;
    float *device_a = to_device(a, rows * inner), *device_b = to_device(b, inner * columns);
    float *device_c = device_zeros<float>(rows * columns);
    multiply<<<dim3(columns / TILE, rows / TILE), dim3(TILE, TILE)>>>(device_c, device_a, device_b, inner, columns);
    CHECK(cudaGetLastError());

    float *c = to_host(device_c, rows * columns);
    int stride = (long long)rows * columns * inner <= 100000 ? 1 : rows * columns / 1009;
    for (int at = 0; at < rows * columns; at += stride) {
        double sum = 0;
        for (int k = 0; k < inner; k++)
            sum += (double)a[at / columns * inner + k] * b[k * columns + at % columns];
        expect_float("element", at, sum, c[at], 1e-5);
    }
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));
    return verdict("matrix_multiply");
}
