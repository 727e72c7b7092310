// transpose: a matrix transposed through a tile of shared memory.
//
// Reading rows and writing columns directly would scatter one of the two accesses over as many
// memory lines as the warp has lanes. A 32 x 32 tile turns the corner on chip instead: rows in,
// rows out. Blocks are 32 x 8 threads, each moving four elements. The tile has 33 columns so
// that a column of it falls into 32 different banks.
//
// usage: transpose [width [height]]; one argument alone makes both equal

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef WIDTH
#define WIDTH 1024
#endif
#ifndef HEIGHT
#define HEIGHT 1024
#endif
#define TILE 32
#define ROWS 8

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__global__ void transpose(const float *input, float *output, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        if (x < width && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = input[(y + i) * width + x];
    }
    __syncthreads();

    // The block lands at the mirrored place; inside it threadIdx.x still runs along a row.
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        if (x < height && y + i < width)
            output[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
    }
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : WIDTH;
    int height = argc > 2 ? atoi(argv[2]) : argc > 1 ? width : HEIGHT;
    if (width < 1 || height < 1) {
        printf("usage: transpose [width [height]], each at least 1\n");
        return 2;
    }

    int count = width * height;
    size_t bytes = count * sizeof(float);
    float *input = (float *)malloc(bytes);
    float *output = (float *)malloc(bytes);
    // Every element is different (up to 16M of them), so no misplaced one goes unnoticed.
    for (int i = 0; i < count; i++)
        input[i] = (float)i;

    float *device_input, *device_output;
    CHECK(cudaMalloc(&device_input, bytes));
    CHECK(cudaMalloc(&device_output, bytes));
    CHECK(cudaMemcpy(device_input, input, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_output, 0xff, bytes));

    dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    dim3 block(TILE, ROWS, 1);
    transpose<<<grid, block>>>(device_input, device_output, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(output, device_output, bytes, cudaMemcpyDeviceToHost));

    printf("transpose: %d x %d\n", width, height);
    int failed = 0;
    for (int row = 0; row < width && !failed; row++) {
        for (int column = 0; column < height; column++) {
            float expected = input[column * width + row];
            float got = output[row * height + column];
            // Written this way a NaN, which the memset left behind, is a mismatch too.
            if (!(got == expected)) {
                printf("mismatch at row %d, column %d: expected %g, got %g\n", row, column,
                       expected, got);
                failed = 1;
                break;
            }
        }
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    CHECK(cudaFree(device_input));
    CHECK(cudaFree(device_output));
    free(input);
    free(output);
    return failed;
}
