// suite: sdk42
// includes: SobolQRNG
// unchanged
#include "driver.h"
#include "sobol_gpu.cu"
#include "sobol_gold.cpp"
#include "sobol_primitives.cpp"

int main()
{
    const int vectors = 1000, dimensions = 8, count = vectors * dimensions;
    unsigned directions[dimensions * n_directions], *d_directions;
    float *expected = (float *)malloc(count * sizeof(float)), *got = (float *)malloc(count * sizeof(float)), *out;
    initSobolDirectionVectors(dimensions, directions);
    cudaMalloc(&d_directions, sizeof directions);
    cudaMalloc(&out, count * sizeof(float));
    cudaMemcpy(d_directions, directions, sizeof directions, cudaMemcpyHostToDevice);
    sobolGPU(vectors, dimensions, d_directions, out);
    to_host(got, out, count);
    sobolCPU(vectors, dimensions, directions, expected);
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += got[i] != expected[i];
    if (wrong)
        printf("%d wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
