// suite: llm
// includes: dev/cuda
// unchanged
#include "driver.h"
#define main their_main
#include "attention_forward.cu"
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
    const int B = 2, T = 32, C = 64, NH = 4, scores = B * NH * T * T;
    srand(4);
    float *in = random_values(B * T * 3 * C), *out = random_values(B * T * C);
    float *before = random_values(scores), *att = random_values(scores);
    float *d_in = on_device(in, B * T * 3 * C), *d_out = on_device(out, B * T * C);
    float *d_before = on_device(before, scores), *d_att = on_device(att, scores);
    attention_forward_cpu(out, before, att, in, B, T, C, NH);
    attention_forward1(d_out, d_before, d_att, d_in, B, T, C, NH, 64);
    int wrong = wrong_values("attention", d_att, att, scores) + wrong_values("result", d_out, out, B * T * C);
    // Another softmax, over rows of its own.
    float *rows = random_values(24 * 40), *d_rows = on_device(rows, 24 * 40), *d_soft = on_device(rows, 24 * 40);
    softmax_forward_kernel4<<<24, 32, 2 * sizeof(float)>>>(d_soft, d_rows, 24, 40);
    for (int i = 0; i < 24; i++) {
        float most = rows[i * 40];
        double sum = 0;
        for (int j = 1; j < 40; j++)
            most = fmaxf(most, rows[i * 40 + j]);
        for (int j = 0; j < 40; j++)
            sum += expf(rows[i * 40 + j] - most);
        for (int j = 0; j < 40; j++)
            rows[i * 40 + j] = (float)(expf(rows[i * 40 + j] - most) / sum);
    }
    wrong += wrong_values("softmax", d_soft, rows, 24 * 40);
    if (!wrong)
        puts("PASS");
}

// out: PASS
