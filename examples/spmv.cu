// spmv: sparse matrix times vector, compressed sparse rows, one thread per row.
//
// The scalar kernel: simple, and hard on the machine. Rows differ in length, so a warp loops as
// long as its longest row; the threads of a warp read far apart in the matrix, and the column
// numbers scatter over the vector.
//
// usage: spmv [rows [columns]]; one argument alone makes the matrix square

#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda_runtime.h>

#ifndef ROWS
#define ROWS 16384
#endif
#ifndef COLUMNS
#define COLUMNS 16384
#endif
#ifndef BLOCK
#define BLOCK 128
#endif
#define LONGEST 96

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__global__ void spmv(int rows, const int *__restrict__ row_start, const int *__restrict__ column,
                     const float *__restrict__ value, const float *__restrict__ x,
                     float *__restrict__ y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    int end = row_start[row + 1];
    float sum = 0.0f;
    for (int i = row_start[row]; i < end; i++)
        sum += value[i] * x[column[i]];
    y[row] = sum;
}

// Mostly short rows, some empty, one in about 32 long.
int row_length(void)
{
    int random = rand() & 1023;
    if (random < 32)
        return 32 + random % (LONGEST - 32 + 1);
    else if (random < 128)
        return 0;
    return 1 + random % 12;
}

// A number from -1 to 1 in steps of 0.001.
float random_value(void)
{
    return (rand() % 2001 - 1000) / 1000.0f;
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : ROWS;
    int columns = argc > 2 ? atoi(argv[2]) : argc > 1 ? rows : COLUMNS;
    if (rows < 1 || columns < 1) {
        printf("usage: spmv [rows [columns]], each at least 1\n");
        return 2;
    }

    int *row_start = (int *)malloc((rows + 1) * sizeof(int));
    srand(8);
    row_start[0] = 0;
    for (int row = 0; row < rows; row++)
        row_start[row + 1] = row_start[row] + row_length();
    // A matrix without entries would ask for empty buffers.
    if (row_start[rows] == 0)
        row_start[rows] = 1;
    int entries = row_start[rows];

    int *column = (int *)malloc(entries * sizeof(int));
    float *value = (float *)malloc(entries * sizeof(float));
    float *x = (float *)malloc(columns * sizeof(float));
    float *y = (float *)malloc(rows * sizeof(float));
    for (int i = 0; i < entries; i++) {
        column[i] = rand() % columns;
        value[i] = random_value();
    }
    for (int i = 0; i < columns; i++)
        x[i] = random_value();

    int *device_start, *device_column;
    float *device_value, *device_x, *device_y;
    CHECK(cudaMalloc(&device_start, (rows + 1) * sizeof(int)));
    CHECK(cudaMalloc(&device_column, entries * sizeof(int)));
    CHECK(cudaMalloc(&device_value, entries * sizeof(float)));
    CHECK(cudaMalloc(&device_x, columns * sizeof(float)));
    CHECK(cudaMalloc(&device_y, rows * sizeof(float)));
    CHECK(cudaMemcpy(device_start, row_start, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_column, column, entries * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_value, value, entries * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_x, x, columns * sizeof(float), cudaMemcpyHostToDevice));

    spmv<<<(rows + BLOCK - 1) / BLOCK, BLOCK>>>(rows, device_start, device_column, device_value,
                                                device_x, device_y);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(y, device_y, rows * sizeof(float), cudaMemcpyDeviceToHost));

    printf("spmv: %d x %d, %d entries\n", rows, columns, entries);
    int failed = 0;
    for (int row = 0; row < rows; row++) {
        double sum = 0.0, magnitude = 0.0;
        for (int i = row_start[row]; i < row_start[row + 1]; i++) {
            double product = (double)value[i] * x[column[i]];
            sum += product;
            magnitude += fabs(product);
        }
        // Terms cancel, so the error is measured against the sum of their magnitudes. At most
        // LONGEST roundings of 2^-24 each, whether products are fused into the sum or not.
        // Negated so that a NaN does not pass.
        if (!(fabs(y[row] - sum) <= LONGEST * 1e-7 * magnitude)) {
            printf("mismatch at row %d: expected %.7f, got %.7f\n", row, sum, y[row]);
            failed = 1;
            break;
        }
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    cudaFree(device_start);
    cudaFree(device_column);
    cudaFree(device_value);
    cudaFree(device_x);
    cudaFree(device_y);
    free(row_start);
    free(column);
    free(value);
    free(x);
    free(y);
    return failed;
}
