// matrix_vector: a matrix times a vector, a block for each row.
//
// Measured in BCC ("MVM" in Table 1, a coherent kernel). Modelled on the OpenCL SDK's sample "MatVecMul", the kernel
// with coalesced reads and a sum over the work-group.
//
// Characteristic: threads stride along the row, then add up in shared memory with `thread < active`, by thread number
// alone; bound by memory, as each element is read once.
//
// usage: matrix_vector [rows] [columns]

#include "workload.h"

#define THREADS 256

__global__ void multiply(const float *matrix, const float *vector, int columns, int rows, float *result)
{
    __shared__ float part[THREADS];
    for (int y = blockIdx.x; y < rows; y += gridDim.x) {
        const float *row = matrix + y * columns;
        float sum = 0;
        for (int x = threadIdx.x; x < columns; x += THREADS)
            sum += row[x] * vector[x];
        part[threadIdx.x] = sum;
        for (int active = THREADS / 2; active > 0; active >>= 1) {
            __syncthreads();
            if (threadIdx.x < active)
                part[threadIdx.x] += part[threadIdx.x + active];
        }
        if (threadIdx.x == 0)
            result[y] = part[0];
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 16), columns = argument(argc, argv, 2, 300), count = rows * columns;
    float *matrix = (float *)malloc(count * sizeof(float)), *vector = (float *)malloc(columns * sizeof(float));
    for (int i = 0; i < count; i++)
        matrix[i] = (random_bits() & 0xff) * 0.0078125f - 1;
    for (int i = 0; i < columns; i++)
        vector[i] = random_unit();
    float *result = device_zeros<float>(rows);
    multiply<<<rows, THREADS>>>(to_device(matrix, count), to_device(vector, columns), columns, rows, result);
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(result, rows);
    int step = 1 + count / 200000;
    for (int y = 0; y < rows; y += step) {
        double sum = 0;
        for (int x = 0; x < columns; x++)
            sum += (double)matrix[y * columns + x] * vector[x];
        expect_float("row", y, sum, found[y], 1e-4);
    }
    return verdict("matrix_vector");
}
