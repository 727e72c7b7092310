// suite: llm
// includes: dev/cuda
// unchanged
#include "driver.h"
#define main their_main
#include "matmul_forward.cu"
#undef main

static float *random_values(int count)
{
    float *values = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++)
        values[i] = (rand() % 2000 - 1000) / 1000.0f;
    return values;
}

static float *on_device(const float *host, int count)
{
    float *device;
    device = to_device(host, count);
    return device;
}

static int wrong_values(const char *name, float *device, const float *expected, int count)
{
    float *got = (float *)malloc(count * sizeof(float));
    int wrong = 0;
    to_host(got, device, count);
    for (int i = 0; i < count; i++)
        wrong += !(fabsf(got[i] - expected[i]) <= 1e-4f * (1 + fabsf(expected[i])));
    if (wrong)
        printf("%s: %d of %d wrong\n", name, wrong, count);
    free(got);
    return wrong;
}

int main()
{
    const int B = 2, T = 64, C = 64, OC = 128, count = B * T * OC;
    srand(3);
    float *in = random_values(B * T * C), *weight = random_values(OC * C), *bias = random_values(OC);
    float *expected = random_values(count);
    float *d_in = on_device(in, B * T * C), *d_weight = on_device(weight, OC * C), *d_bias = on_device(bias, OC);
    float *d_out = on_device(expected, count);
    matmul_forward_cpu(expected, in, weight, bias, B, T, C, OC);
    cudaMemset(d_out, 0, count * sizeof(float));
    matmul_forward1(d_out, d_in, d_weight, d_bias, B, T, C, OC, 16);
    int wrong = wrong_values("kernel 1", d_out, expected, count);
    cudaMemset(d_out, 0, count * sizeof(float));
    matmul_forward4(d_out, d_in, d_weight, d_bias, B, T, C, OC, 16);
    wrong += wrong_values("kernel 4", d_out, expected, count);
    if (!wrong)
        puts("PASS");
}

// out: PASS
