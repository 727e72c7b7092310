// saxpy: y = a * x + y, one thread per element.
//
// The smallest useful kernel: a flat grid, a guard for the last partial block, and perfectly
// coalesced loads and stores. It is limited by memory bandwidth on any machine.
//
// usage: saxpy [n]

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef N
#define N (1 << 20)
#endif
#ifndef BLOCK
#define BLOCK 256
#endif

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // n need not be a multiple of the block size: the last block has idle threads.
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    if (n < 1) {
        printf("usage: saxpy [n], n at least 1\n");
        return 2;
    }

    size_t bytes = n * sizeof(float);
    float *x = (float *)malloc(bytes);
    float *y = (float *)malloc(bytes);
    float *result = (float *)malloc(bytes);

    // Multiples of a quarter, small enough that every product and sum is exact. Whether the
    // compiler contracts a * x + y to one fused operation then makes no difference, and the
    // comparison below can ask for equality.
    const float a = 2.5f;
    for (int i = 0; i < n; i++) {
        x[i] = 0.25f * (i % 1000);
        y[i] = 0.5f * (i % 77) - 8.0f;
    }

    float *device_x, *device_y;
    CHECK(cudaMalloc((void **)&device_x, bytes));
    CHECK(cudaMalloc((void **)&device_y, bytes));
    CHECK(cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice));

    saxpy<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, a, device_x, device_y);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result, device_y, bytes, cudaMemcpyDeviceToHost));

    printf("saxpy: %d elements, a = %g\n", n, a);
    int failed = 0;
    for (int i = 0; i < n; i++) {
        float expected = a * x[i] + y[i];
        if (result[i] != expected) {
            printf("mismatch at %d: expected %g, got %g\n", i, expected, result[i]);
            failed = 1;
            break;
        }
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    CHECK(cudaFree(device_x));
    CHECK(cudaFree(device_y));
    free(x);
    free(y);
    free(result);
    return failed;
}
