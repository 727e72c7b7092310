// suite: llm
// includes: dev/cuda
// unchanged
#include "driver.h"
#define main their_main
#include "gelu_forward.cu"
#undef main

// Numbers of 16 bits through the kernel, against their host function on what is left of the numbers.
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
    gelu_forward1(out_d, in_d, count, 96);
    to_host(got, out_d, count);
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += !(fabsf((float)got[i] - expected[i]) <= 0.004f * fabsf(expected[i]) + 1e-6f);
    return verdict(wrong, "numbers");
}

// out: PASS
