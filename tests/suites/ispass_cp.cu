// suite: ispass
// includes: CP/benchmarks/cp/src/cuda_short
// unchanged
#include "driver.h"
#define main their_main
#include "cuenergy_pre8_coalesce.cu"
#undef main

// The potential of random charges on a slice, against the sum on the host.
int main()
{
    const int atoms_count = 120, width = 64, height = 32;
    const float spacing = 0.25f, plane = 1.5f;
    static float atoms[4 * atoms_count], grid_host[width * height];
    srand(2);
    for (int i = 0; i < atoms_count; i++) {
        atoms[4 * i] = rand() % 1600 / 100.0f;
        atoms[4 * i + 1] = rand() % 800 / 100.0f;
        atoms[4 * i + 2] = 2 + rand() % 500 / 100.0f;
        atoms[4 * i + 3] = rand() % 200 / 100.0f - 1;
    }
    float *grid_d;
    cudaMalloc(&grid_d, sizeof grid_host);
    cudaMemset(grid_d, 0, sizeof grid_host);
    if (copyatomstoconstbuf(atoms, atoms_count, plane))
        return 1;
    dim3 block(BLOCKSIZEX, BLOCKSIZEY), grid(width / (UNROLLX * BLOCKSIZEX), height / BLOCKSIZEY);
    cenergy<<<grid, block>>>(atoms_count, spacing, grid_d);
    cudaMemcpy(grid_host, grid_d, sizeof grid_host, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int i = 0; i < atoms_count; i++) {
                double dx = spacing * x - atoms[4 * i], dy = spacing * y - atoms[4 * i + 1];
                double dz = plane - atoms[4 * i + 2];
                sum += atoms[4 * i + 3] / sqrt(dx * dx + dy * dy + dz * dz);
            }
            wrong += !(fabs(grid_host[y * width + x] - sum) <= 1e-4 * (1 + fabs(sum)));
        }
    return verdict(wrong, "values");
}

// out: PASS
