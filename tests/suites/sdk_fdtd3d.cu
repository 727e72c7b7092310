// suite: sdk42
// includes: FDTD3d/inc
// unchanged
#include <stdio.h>
#include <stdlib.h>
#include "FDTD3dGPUKernel.cuh"

int main()
{
    const int dim = 32, outer = dim + 2 * RADIUS, count = outer * outer * outer, bytes = count * sizeof(float);
    // The kernel reads one plane behind the last one.
    const int padded = bytes + outer * outer * (int)sizeof(float);
    float *in = (float *)malloc(bytes), *expected = (float *)malloc(bytes), *got = (float *)malloc(bytes);
    float coefficients[RADIUS + 1], *d_in, *d_out;
    srand(7);
    for (int i = 0; i <= RADIUS; i++)
        coefficients[i] = 0.1f / (i + 1);
    for (int i = 0; i < count; i++)
        expected[i] = in[i] = (rand() % 1000) / 1000.0f;
    for (int z = RADIUS; z < dim + RADIUS; z++)
        for (int y = RADIUS; y < dim + RADIUS; y++)
            for (int x = RADIUS; x < dim + RADIUS; x++) {
                int at = (z * outer + y) * outer + x;
                float value = coefficients[0] * in[at];
                for (int r = 1; r <= RADIUS; r++)
                    value += coefficients[r] * (in[at + r] + in[at - r] + in[at + r * outer] + in[at - r * outer] +
                                                in[at + r * outer * outer] + in[at - r * outer * outer]);
                expected[at] = value;
            }
    cudaMalloc(&d_in, padded);
    cudaMalloc(&d_out, padded);
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, in, bytes, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(stencil, coefficients, sizeof coefficients);
    dim3 block(k_blockDimX, k_blockDimMaxY), grid(dim / k_blockDimX, dim / k_blockDimMaxY);
    FiniteDifferencesKernel<<<grid, block>>>(d_out, d_in, dim, dim, dim);
    cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += !(fabsf(got[i] - expected[i]) <= 1e-5f * (1 + fabsf(expected[i])));
    if (wrong)
        printf("%d wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
