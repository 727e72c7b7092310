// matmul_naive: C = A * B for square matrices, one thread per element of C, no shared memory.
//
// Every thread walks a row of A and a column of B in global memory. The threads of a warp share
// the row (a broadcast) and read neighbouring columns (coalesced), but each element is loaded
// again by every block that needs it: compare the memory traffic with matmul_tiled.
//
// usage: matmul_naive [n]

#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda_runtime.h>

#ifndef N
#define N 256
#endif
#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;

    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

// Returns 1 at the first element that is too far from the product computed in double.
int differs(const float *a, const float *b, const float *c, int n)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += (double)a[row * n + k] * b[k * n + column];
            // All terms are positive, so nothing cancels and the float sum, fused or not, stays
            // within n roundings of the true one: n * 2^-24 < n * 1e-7.
            double got = c[row * n + column];
            if (fabs(got - sum) > (n + 1) * 1e-7 * sum) {
                printf("mismatch at row %d, column %d: expected %.7f, got %.7f\n", row, column,
                       sum, got);
                return 1;
            }
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    if (n < 1) {
        printf("usage: matmul_naive [n], n at least 1\n");
        return 2;
    }

    size_t bytes = (size_t)n * n * sizeof(float);
    float *a = (float *)malloc(bytes);
    float *b = (float *)malloc(bytes);
    float *c = (float *)malloc(bytes);
    srand(3);
    for (int i = 0; i < n * n; i++) {
        a[i] = (rand() % 1000 + 1) / 1000.0f;
        b[i] = (rand() % 1000 + 1) / 1000.0f;
    }

    float *device_a, *device_b, *device_c;
    cudaMalloc(&device_a, bytes);
    cudaMalloc(&device_b, bytes);
    cudaMalloc(&device_c, bytes);
    cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);

    dim3 block(BLOCK, BLOCK);
    dim3 grid((n + BLOCK - 1) / BLOCK, (n + BLOCK - 1) / BLOCK);
    matmul<<<grid, block>>>(device_a, device_b, device_c, n);

    // The copy waits for the kernel; the last error covers every call above.
    cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
    cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess) {
        printf("CUDA: %s\n", cudaGetErrorString(status));
        return 1;
    }

    printf("matmul_naive: %d x %d\n", n, n);
    int failed = differs(a, b, c, n);
    printf("%s\n", failed ? "FAIL" : "PASS");

    cudaFree(device_a);
    cudaFree(device_b);
    cudaFree(device_c);
    free(a);
    free(b);
    free(c);
    return failed;
}
