// suite: llm
// includes: dev/cuda
// changed: kernel 4 with one warp a block; with more, what it reads and what it writes next race
#include "driver.h"
#define main their_main
#include "softmax_forward.cu"
#undef main

static int wrong_rows(const char *name, float *device, const float *expected, int count)
{
    float *got = (float *)malloc(count * sizeof(float));
    int wrong = 0;
    to_host(got, device, count);
    cudaMemset(device, 0, count * sizeof(float));
    for (int i = 0; i < count; i++)
        if (!(fabsf(got[i] - expected[i]) <= 1e-5f))
            wrong++;
    if (wrong)
        printf("%s: %d of %d wrong\n", name, wrong, count);
    free(got);
    return wrong;
}

int main()
{
    const int rows = 24, columns = 160, count = rows * columns;
    float *host = (float *)malloc(count * sizeof(float)), *expected = (float *)malloc(count * sizeof(float)), *in, *out;
    srand(1);
    for (int i = 0; i < count; i++)
        host[i] = (rand() % 2000 - 1000) / 100.0f;
    softmax_forward_cpu(expected, host, rows, columns);
    cudaMalloc(&out, count * sizeof(float));
    in = to_device(host, count);
    int wrong = 0;
    softmax_forward1(out, in, rows, columns, 32);
    wrong += wrong_rows("kernel 1", out, expected, count);
    softmax_forward2(out, in, rows, columns, 64);
    wrong += wrong_rows("kernel 2", out, expected, count);
    softmax_forward3(out, in, rows, columns, 32);
    wrong += wrong_rows("kernel 3", out, expected, count);
    softmax_forward4(out, in, rows, columns, 32);
    wrong += wrong_rows("kernel 4", out, expected, count);
    softmax_forward_online1(out, in, rows, columns, 32);
    wrong += wrong_rows("online kernel 1", out, expected, count);
    softmax_forward7(out, in, rows, columns, 64);
    wrong += wrong_rows("kernel 7", out, expected, count);
    softmax_forward_online8(out, in, rows, columns, 64);
    wrong += wrong_rows("online kernel 8", out, expected, count);
    if (!wrong)
        puts("PASS");
}

// out: PASS
