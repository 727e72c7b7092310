// suite: llm
// includes: dev/cuda
// unchanged
#include "driver.h"
#define main their_main
#include "layernorm_forward.cu"
#undef main

static int wrong_values(const char *name, float *device, const float *expected, int count)
{
    float *got = (float *)malloc(count * sizeof(float));
    int wrong = 0;
    to_host(got, device, count);
    cudaMemset(device, 0, count * sizeof(float));
    for (int i = 0; i < count; i++)
        if (!(fabsf(got[i] - expected[i]) <= 1e-4f * (1 + fabsf(expected[i]))))
            wrong++;
    if (wrong)
        printf("%s: %d of %d wrong\n", name, wrong, count);
    free(got);
    return wrong;
}

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

int main()
{
    const int B = 2, T = 12, C = 96, count = B * T * C;
    srand(2);
    float *in = random_values(count), *weight = random_values(C), *bias = random_values(C);
    float *out = random_values(count), *mean = random_values(B * T), *rstd = random_values(B * T);
    float *d_in = on_device(in, count), *d_weight = on_device(weight, C), *d_bias = on_device(bias, C);
    float *d_out = on_device(out, count), *d_mean = on_device(mean, B * T), *d_rstd = on_device(rstd, B * T);
    layernorm_forward_cpu(out, mean, rstd, in, weight, bias, B, T, C);
    int wrong = 0;
    layernorm_forward1(d_out, d_mean, d_rstd, d_in, d_weight, d_bias, B, T, C, 32);
    wrong += wrong_values("kernel 1", d_out, out, count) + wrong_values("its means", d_mean, mean, B * T) +
             wrong_values("its deviations", d_rstd, rstd, B * T);
    layernorm_forward2(d_out, d_mean, d_rstd, d_in, d_weight, d_bias, B, T, C, 64);
    wrong += wrong_values("kernel 2", d_out, out, count) + wrong_values("its means", d_mean, mean, B * T) +
             wrong_values("its deviations", d_rstd, rstd, B * T);
    if (!wrong)
        puts("PASS");
}

// out: PASS
