// suite: rodinia
// includes: cuda/lud/cuda cuda/lud/common
// unchanged
#include "driver.h"
#define main their_main
#include "lud_kernel.cu"
#undef main

// Takes a product of triangles apart again.
int main()
{
    const int n = 64;
    static float lower[n][n], upper[n][n], product[n * n];
    srand(11);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float x = rand() % 100 / 100.0f;
            lower[i][j] = i == j ? 1 : i > j ? x / 8 : 0;
            upper[i][j] = i == j ? 2 + x : i < j ? x : 0;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += (double)lower[i][k] * upper[k][j];
            product[i * n + j] = sum;
        }
    float *m;
    cudaMalloc(&m, sizeof product);
    cudaMemcpy(m, product, sizeof product, cudaMemcpyHostToDevice);
    lud_cuda(m, n);
    cudaMemcpy(product, m, sizeof product, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float gold = i > j ? lower[i][j] : upper[i][j];
            wrong += !(fabsf(product[i * n + j] - gold) <= 1e-3f * (1 + fabsf(gold)));
        }
    return verdict(wrong, "values");
}

// out: PASS
