// suite: sdk42
// includes: threadFenceReduction
// unchanged
#include "driver.h"
#include "threadFenceReduction_kernel.cu"

static bool close_to(float got, double expected)
{
    return fabs(got - expected) <= 1e-4 * fabs(expected);
}

int main()
{
    const int most = 5000;
    float *host = (float *)malloc(most * sizeof(float)), *in, *out, got;
    srand(1);
    for (int i = 0; i < most; i++)
        host[i] = rand() % 1000 / 1000.0f;
    cudaMalloc(&out, 64 * sizeof(float));
    in = to_device(host, most);
    int wrong = 0;
    // Fewer than 64 threads read past the shared memory that `reduceSinglePass` asks for.
    int cases[][3] = {{4096, 128, 16}, {5000, 128, 7}, {1000, 64, 1}, {2048, 64, 32}, {777, 64, 40}, {5000, 256, 64}};
    for (int c = 0; c < 6; c++) {
        int size = cases[c][0], threads = cases[c][1], blocks = cases[c][2];
        double expected = 0;
        for (int i = 0; i < size; i++)
            expected += host[i];
        reduceSinglePass(size, threads, blocks, in, out);
        cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
        if (!close_to(got, expected)) {
            printf("one pass, %d: %g instead of %g\n", size, got, expected);
            wrong++;
        }
        float parts[64], sum = 0;
        reduce(size, threads, blocks, in, out);
        to_host(parts, out, blocks);
        for (int i = 0; i < blocks; i++)
            sum += parts[i];
        if (!close_to(sum, expected)) {
            printf("more passes, %d: %g instead of %g\n", size, sum, expected);
            wrong++;
        }
    }
    if (!wrong)
        puts("PASS");
}

// out: PASS
