// gaussian: Gaussian elimination without pivoting, as Rodinia's: for each column `fan1` computes the multipliers below
// the diagonal, and `fan2` subtracts the row from all rows below it. The host substitutes back.
//
// Measured by: dissertation chapter 6 (Table 6.2, GAUSSIAN: 230 M instructions).
// Also in the suite of the paper on intra-warp compaction (Table 1: Gauss).
// Characteristic: both kernels are launched at full size for every column, so that ever more threads return at once;
// `fan2` has blocks of 4 x 4, half a warp each. Little reuse; many short launches.
//
// usage: gaussian [size]

#include "workload.h"

const int LINE_BLOCK = 512, SIDE = 4;

__global__ void fan1(float *multipliers, const float *a, int size, int column)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= size - 1 - column)
        return;
    multipliers[size * (i + column + 1) + column] = a[size * (i + column + 1) + column] / a[size * column + column];
}

__global__ void fan2(const float *multipliers, float *a, float *b, int size, int column)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - column)
        return;
    if (threadIdx.y + blockIdx.y * blockDim.y >= size - column)
        return;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[size * (x + 1 + column) + y + column] -=
        multipliers[size * (x + 1 + column) + column] * a[size * column + y + column];
    if (y == 0)
        b[x + 1 + column] -= multipliers[size * (x + 1 + column) + column] * b[column];
}

int main(int argc, char **argv)
{
    int size = argument(argc, argv, 1, 48);
    float *a = (float *)malloc(size * size * sizeof(float)), *b = (float *)malloc(size * sizeof(float));
    // A symmetric matrix whose coefficients fall off from the diagonal, which needs no pivots.
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < size; k++)
            a[i * size + k] = 10 * expf(-0.01f * (i > k ? i - k : k - i));
        b[i] = 1 + random_unit();
    }
    float *d_a = to_device(a, size * size), *d_b = to_device(b, size),
          *d_multipliers = device_zeros<float>(size * size);
    dim3 grid((size + SIDE - 1) / SIDE, (size + SIDE - 1) / SIDE), block(SIDE, SIDE);
    for (int column = 0; column < size - 1; column++) {
        fan1<<<(size + LINE_BLOCK - 1) / LINE_BLOCK, LINE_BLOCK>>>(d_multipliers, d_a, size, column);
        fan2<<<grid, block>>>(d_multipliers, d_a, d_b, size, column);
    }
    printf("gaussian: %d x %d\n", size, size);

    float *upper = to_host(d_a, size * size), *right = to_host(d_b, size);
    double *x = (double *)malloc(size * sizeof(double));
    for (int i = size - 1; i >= 0; i--) {
        double sum = right[i];
        for (int k = i + 1; k < size; k++)
            sum -= upper[i * size + k] * x[k];
        x[i] = sum / upper[i * size + i];
    }
    // The solution has to fulfil the equations that were there at first.
    for (int i = 0; i < size; i++) {
        double sum = 0;
        for (int k = 0; k < size; k++)
            sum += a[i * size + k] * x[k];
        expect_float("right side of row", i, b[i], sum, 2e-3);
    }
    // What is below the diagonal is gone.
    for (int i = 0; i < size; i++)
        for (int k = 0; k < i; k++)
            expect_float("element below the diagonal in row", i, 0, upper[i * size + k], 1e-4);
    return verdict("gaussian");
}
