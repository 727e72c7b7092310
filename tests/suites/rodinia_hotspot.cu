// suite: rodinia
// includes: cuda/hotspot
// unchanged
#define main their_main
#include "hotspot.cu"
#undef main

// Temperatures of a chip, against the same stencil on the host.
int main()
{
    const int n = 40, steps = 6, height = 2;
    static float temp[n * n], power[n * n], gold[n * n], next[n * n];
    srand(3);
    for (int i = 0; i < n * n; i++) {
        gold[i] = temp[i] = 320 + rand() % 1000 / 50.0f;
        power[i] = rand() % 1000 / 1e6f;
    }
    float side = chip_height / n;
    float cap = FACTOR_CHIP * SPEC_HEAT_SI * t_chip * side * side;
    float rx = side / (2.0 * K_SI * t_chip * side), rz = t_chip / (K_SI * side * side);
    float step = PRECISION / (MAX_PD / (FACTOR_CHIP * t_chip * SPEC_HEAT_SI));
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                double c = gold[y * n + x];
                double up = gold[(y > 0 ? y - 1 : y) * n + x], down = gold[(y < n - 1 ? y + 1 : y) * n + x];
                double left = gold[y * n + (x > 0 ? x - 1 : x)], right = gold[y * n + (x < n - 1 ? x + 1 : x)];
                next[y * n + x] = c + step / cap * (power[y * n + x] + (up + down - 2 * c) / rx
                    + (left + right - 2 * c) / rx + (80.0 - c) / rz);
            }
        memcpy(gold, next, sizeof gold);
    }
    float *power_d, *temp_d[2];
    cudaMalloc(&power_d, sizeof power);
    cudaMalloc(&temp_d[0], sizeof temp);
    cudaMalloc(&temp_d[1], sizeof temp);
    cudaMemcpy(power_d, power, sizeof power, cudaMemcpyHostToDevice);
    cudaMemcpy(temp_d[0], temp, sizeof temp, cudaMemcpyHostToDevice);
    int inner = BLOCK_SIZE - 2 * height, blocks = (n + inner - 1) / inner;
    int last = compute_tran_temp(power_d, temp_d, n, n, steps, height, blocks, blocks, height, height);
    cudaMemcpy(next, temp_d[last], sizeof next, cudaMemcpyDeviceToHost);
    int wrong = 0, moved = 0;
    for (int i = 0; i < n * n; i++) {
        wrong += !(fabsf(next[i] - gold[i]) <= 1e-4f * fabsf(gold[i]));
        moved += next[i] != temp[i];
    }
    if (wrong || moved < n * n / 2)
        printf("%d values are wrong, %d have changed\n", wrong, moved);
    else
        puts("PASS");
    return 0;
}

// out: PASS
