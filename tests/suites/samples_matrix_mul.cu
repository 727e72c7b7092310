// suite: samples
// includes: Samples/0_Introduction/matrixMul
// unchanged
#include "driver.h"
#define main their_main
#include "matrixMul.cu"
#undef main

static int check(int rows, int inner, int columns, int block)
{
    float *a = new float[rows * inner], *b = new float[inner * columns], *c = new float[rows * columns];
    for (int i = 0; i < rows * inner; i++)
        a[i] = (rand() % 17 - 8) / 4.0f;
    for (int i = 0; i < inner * columns; i++)
        b[i] = (rand() % 13 - 6) / 8.0f;
    float *da, *db, *dc;
    cudaMalloc(&dc, rows * columns * sizeof(float));
    da = to_device(a, rows * inner);
    db = to_device(b, inner * columns);
    dim3 threads(block, block), grid(columns / block, rows / block);
    if (block == 16)
        MatrixMulCUDA<16><<<grid, threads>>>(dc, da, db, inner, columns);
    else
        MatrixMulCUDA<32><<<grid, threads>>>(dc, da, db, inner, columns);
    to_host(c, dc, rows * columns);
    int wrong = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float sum = 0; // small eighths: exact in any order
            for (int k = 0; k < inner; k++)
                sum += a[i * inner + k] * b[k * columns + j];
            wrong += sum != c[i * columns + j];
        }
    return wrong;
}

int main()
{
    int wrong = check(32, 48, 64, 16) + check(64, 32, 32, 32);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
// out: PASS
