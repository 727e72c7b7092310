// suite: llm
// includes: dev/cuda
// unchanged
#include "driver.h"
#define main their_main
#include "gelu_forward.cu"
#undef main

// Numbers of 16 bits through both kernels, against their host function on what is left of the numbers.
int main()
{
    const int count = 4000;
    float in[count], expected[count];
    floatX narrow[count], got[count];
    srand(3);
    for (int i = 0; i < count; i++) {
        narrow[i] = (floatX)random_between(-6, 6);
        in[i] = (float)narrow[i];
    }
    gelu_forward_cpu(expected, in, count);
    floatX *in_d = to_device(narrow, count), *out_d = zeros<floatX>(count);
    int wrong = 0;
    for (int kernel = 1; kernel <= 2; kernel++) {
        cudaMemset(out_d, 0, sizeof got);
        gelu_forward(kernel, out_d, in_d, 4, 10, count / 40, 96);
        to_host(got, out_d, count);
        for (int i = 0; i < count; i++)
            wrong += !(fabsf((float)got[i] - expected[i]) <= 0.004f * fabsf(expected[i]) + 1e-6f);
    }
    return verdict(wrong, "numbers");
}

// out: PASS
