// suite: ispass
// includes: LPS
// unchanged
#include "driver.h"
#define main their_main
#include "laplace3d.cu"
#undef main
#include "laplace3d_gold.cpp"

// Steps of a Laplace equation on a grid that no block divides, against the suite's own host code.
int main()
{
    const int nx = 45, ny = 23, nz = 11, steps = 3, row = 64;
    float *u = (float *)malloc(nx * ny * nz * sizeof(float));
    float *next = (float *)malloc(nx * ny * nz * sizeof(float));
    float *back = (float *)malloc(nx * ny * nz * sizeof(float));
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++)
                u[i + nx * (j + ny * k)] = i == 0 || j == ny - 1 || k == 0 ? 1.0f : (i * 7 + j * 3 + k) % 5;
    float *a, *b;
    cudaMalloc(&a, row * ny * nz * sizeof(float));
    cudaMalloc(&b, row * ny * nz * sizeof(float));
    cudaMemcpy2D(a, row * sizeof(float), u, nx * sizeof(float), nx * sizeof(float), ny * nz,
        cudaMemcpyHostToDevice);
    dim3 grid(1 + (nx - 1) / BLOCK_X, 1 + (ny - 1) / BLOCK_Y), block(BLOCK_X, BLOCK_Y);
    for (int t = 0; t < steps; t++) {
        GPU_laplace3d<<<grid, block>>>(nx, ny, nz, row, a, b);
        Gold_laplace3d(nx, ny, nz, u, next);
        float *other = a;
        a = b;
        b = other;
        other = u;
        u = next;
        next = other;
    }
    cudaMemcpy2D(back, nx * sizeof(float), a, row * sizeof(float), nx * sizeof(float), ny * nz,
        cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < nx * ny * nz; i++)
        wrong += !(fabsf(back[i] - u[i]) <= 1e-5f * (1 + fabsf(u[i])));
    return verdict(wrong, "values");
}

// out: PASS
