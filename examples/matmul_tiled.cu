// matmul_tiled: C = A * B with tiles of A and B staged in shared memory.
//
// A is m x k, B is k x n. A block computes one 16 x 16 tile of C and marches over the common
// dimension: it loads a tile of each operand, waits, multiplies, waits, so that every element
// comes from global memory once per tile instead of once per thread.
//
// usage: matmul_tiled [m [n [k]]]; one argument alone makes all three equal

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef M
#define M 256
#endif
#ifndef N
#define N 256
#endif
#ifndef K
#define K 256
#endif
#define TILE 16

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__global__ void matmul(const float *__restrict__ a, const float *__restrict__ b,
                       float *__restrict__ c, int m, int n, int k)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];

    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    float sum = 0.0f;

    for (int start = 0; start < k; start += TILE) {
        // Outside the matrices the tiles hold zeros. No thread may leave early: all of them
        // have elements to load and barriers to reach.
        tile_a[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0.0f;
        tile_b[y][x] = start + y < k && column < n ? b[(start + y) * n + column] : 0.0f;
        __syncthreads();

        for (int i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        // The next round overwrites the tiles; wait until everybody has read them.
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}

// Small whole numbers: all sums are exact in float, in any order and fused or not.
void fill(float *matrix, int count)
{
    for (int i = 0; i < count; i++)
        matrix[i] = (float)(rand() % 9 - 4);
}

int main(int argc, char **argv)
{
    int m = argc > 1 ? atoi(argv[1]) : M;
    int n = argc > 2 ? atoi(argv[2]) : argc > 1 ? m : N;
    int k = argc > 3 ? atoi(argv[3]) : argc > 1 ? m : K;
    if (m < 1 || n < 1 || k < 1) {
        printf("usage: matmul_tiled [m [n [k]]], each at least 1\n");
        return 2;
    }

    float *a = (float *)malloc(m * k * sizeof(float));
    float *b = (float *)malloc(k * n * sizeof(float));
    float *c = (float *)malloc(m * n * sizeof(float));
    srand(4);
    fill(a, m * k);
    fill(b, k * n);

    float *device_a, *device_b, *device_c;
    CHECK(cudaMalloc((void **)&device_a, m * k * sizeof(float)));
    CHECK(cudaMalloc((void **)&device_b, k * n * sizeof(float)));
    CHECK(cudaMalloc((void **)&device_c, m * n * sizeof(float)));
    CHECK(cudaMemcpy(device_a, a, m * k * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b, k * n * sizeof(float), cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    dim3 block(TILE, TILE);
    dim3 grid(CEIL_DIV(n, TILE), CEIL_DIV(m, TILE));
    matmul<<<grid, block>>>(device_a, device_b, device_c, m, n, k);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = -1.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaMemcpy(c, device_c, m * n * sizeof(float), cudaMemcpyDeviceToHost));

    printf("matmul_tiled: %d x %d times %d x %d\n", m, k, k, n);
    int failed = 0;
    // The time itself differs from machine to machine, so only its sign is looked at.
    if (milliseconds < 0.0f) {
        printf("mismatch at elapsed time: expected at least 0, got less\n");
        failed = 1;
    }
    for (int row = 0; row < m && !failed; row++) {
        for (int column = 0; column < n && !failed; column++) {
            float sum = 0.0f;
            for (int i = 0; i < k; i++)
                sum += a[row * k + i] * b[i * n + column];
            if (c[row * n + column] != sum) {
                printf("mismatch at row %d, column %d: expected %g, got %g\n", row, column, sum,
                       c[row * n + column]);
                failed = 1;
            }
        }
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    cudaFree(device_a);
    cudaFree(device_b);
    cudaFree(device_c);
    free(a);
    free(b);
    free(c);
    return failed;
}
