// suite: sgemm
// includes: src src/kernels
// unchanged
#include "driver.h"
#include "runner.cu"

static int check(const char *name, const float *expected, float *device, int count)
{
    float *got = (float *)malloc(count * sizeof(float));
    int wrong = 0;
    to_host(got, device, count);
    for (int i = 0; i < count; i++)
        wrong += !(fabsf(got[i] - expected[i]) <= 1e-3f * (1 + fabsf(expected[i])));
    if (wrong)
        printf("%s: %d of %d wrong\n", name, wrong, count);
    free(got);
    return wrong;
}

int main()
{
    const int M = 128, N = 128, K = 64, bytes = M * N * sizeof(float);
    const float alpha = 0.5f, beta = 3.0f;
    float *a = (float *)malloc(M * K * sizeof(float)), *b = (float *)malloc(K * N * sizeof(float));
    float *c = (float *)malloc(bytes), *expected = (float *)malloc(bytes), *A, *B, *C;
    srand(5);
    for (int i = 0; i < M * K; i++)
        a[i] = (rand() % 200 - 100) / 50.0f;
    for (int i = 0; i < K * N; i++)
        b[i] = (rand() % 200 - 100) / 50.0f;
    for (int i = 0; i < M * N; i++)
        c[i] = (rand() % 200 - 100) / 50.0f;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += (double)a[i * K + k] * b[k * N + j];
            expected[i * N + j] = (float)(alpha * sum + beta * c[i * N + j]);
        }
    cudaMalloc(&C, bytes);
    A = to_device(a, M * K);
    B = to_device(b, K * N);
    int wrong = 0;
#define TRY(run)                                                                                   \
    cudaMemcpy(C, c, bytes, cudaMemcpyHostToDevice);                                               \
    run(M, N, K, alpha, A, B, beta, C);                                                            \
    wrong += check(#run, expected, C, M * N);
    TRY(run_sgemm_naive)
    TRY(run_sgemm_coalesce)
    TRY(run_sgemm_shared_mem_block)
    TRY(runSgemm1DBlocktiling)
    TRY(runSgemm2DBlocktiling)
    TRY(runSgemmVectorize)
    TRY(runSgemmAutotuned)
    TRY(runSgemmWarptiling)
    if (!wrong)
        puts("PASS");
}

// out: PASS
