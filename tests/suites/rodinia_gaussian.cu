// suite: rodinia
// includes: cuda/gaussian
// unchanged
#include "driver.h"
#define main their_main
#include "gaussian.cu"
#undef main

// Elimination of a dominant matrix, against the same steps on the host and against the solution.
int main()
{
    const int n = 48;
    static float a_host[n * n], b_host[n], a_gold[n * n], b_gold[n], x[n];
    srand(1);
    for (int i = 0; i < n; i++) {
        x[i] = i % 7 - 3;
        for (int j = 0; j < n; j++)
            a_host[i * n + j] = (i == j ? n : 0) + rand() % 100 / 100.0f;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b_host[i] += a_host[i * n + j] * x[j];
    memcpy(a_gold, a_host, sizeof a_host);
    memcpy(b_gold, b_host, sizeof b_host);

    float *m_d, *a_d, *b_d;
    cudaMalloc(&m_d, sizeof a_host);
    cudaMalloc(&a_d, sizeof a_host);
    cudaMalloc(&b_d, sizeof b_host);
    cudaMemcpy(a_d, a_host, sizeof a_host, cudaMemcpyHostToDevice);
    cudaMemcpy(b_d, b_host, sizeof b_host, cudaMemcpyHostToDevice);
    dim3 block(16), grid((n + 15) / 16), block2(BLOCK_SIZE_XY, BLOCK_SIZE_XY);
    dim3 grid2((n + BLOCK_SIZE_XY - 1) / BLOCK_SIZE_XY, (n + BLOCK_SIZE_XY - 1) / BLOCK_SIZE_XY);
    for (int t = 0; t < n - 1; t++) {
        Fan1<<<grid, block>>>(m_d, a_d, n, t);
        Fan2<<<grid2, block2>>>(m_d, a_d, b_d, n, n - t, t);
        for (int i = t + 1; i < n; i++) {
            float factor = a_gold[i * n + t] / a_gold[t * n + t];
            for (int j = t; j < n; j++)
                a_gold[i * n + j] -= factor * a_gold[t * n + j];
            b_gold[i] -= factor * b_gold[t];
        }
    }
    cudaMemcpy(a_host, a_d, sizeof a_host, cudaMemcpyDeviceToHost);
    cudaMemcpy(b_host, b_d, sizeof b_host, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        wrong += fabsf(b_host[i] - b_gold[i]) > 1e-3f;
        for (int j = 0; j < n; j++)
            wrong += fabsf(a_host[i * n + j] - a_gold[i * n + j]) > 1e-3f;
    }
    for (int i = n - 1; i >= 0; i--) {
        float sum = b_host[i];
        for (int j = i + 1; j < n; j++)
            sum -= a_host[i * n + j] * x[j];
        wrong += fabsf(sum / a_host[i * n + i] - x[i]) > 1e-3f;
    }
    return verdict(wrong, "values");
}

// out: PASS
