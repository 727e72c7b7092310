// stencil2d: a five-point stencil, iterated, with a halo tile in shared memory.
//
// Each block loads its 16 x 16 cells and a border one cell wide, so that a cell is read from
// global memory about once instead of five times. The weights are in constant memory: all threads
// of a warp read the same one. The two grids swap roles after each iteration; cells on the rim of
// the grid keep their value.
//
// usage: stencil2d [width [height [iterations]]]; one argument alone makes the grid square

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef WIDTH
#define WIDTH 512
#endif
#ifndef HEIGHT
#define HEIGHT 512
#endif
#ifndef ITERATIONS
#define ITERATIONS 8
#endif
#define TILE 16

#define CENTRE 0
#define NORTH 1
#define SOUTH 2
#define WEST 3
#define EAST 4

#define INDEX(x, y, width) ((y) * (width) + (x))

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__constant__ float weights[5];

// A cell of the grid, or zero outside, where only the tiles of the rim's blocks reach.
__device__ float cell(const float *grid, int x, int y, int width, int height)
{
    return x >= 0 && x < width && y >= 0 && y < height ? grid[INDEX(x, y, width)] : 0.0f;
}

__global__ void stencil(const float *input, float *output, int width, int height)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    tile[ty][tx] = cell(input, x, y, width, height);
    // The threads on the sides of the block load the halo. The corners are never used.
    if (tx == 1)
        tile[ty][0] = cell(input, x - 1, y, width, height);
    if (tx == TILE)
        tile[ty][TILE + 1] = cell(input, x + 1, y, width, height);
    if (ty == 1)
        tile[0][tx] = cell(input, x, y - 1, width, height);
    if (ty == TILE)
        tile[TILE + 1][tx] = cell(input, x, y + 1, width, height);
    __syncthreads();

    if (x >= width || y >= height)
        return;
    float result = tile[ty][tx];
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        result *= weights[CENTRE];
        result += weights[NORTH] * tile[ty - 1][tx];
        result += weights[SOUTH] * tile[ty + 1][tx];
        result += weights[WEST] * tile[ty][tx - 1];
        result += weights[EAST] * tile[ty][tx + 1];
    }
    output[INDEX(x, y, width)] = result;
}

// One iteration on the host: the same sums in the same order.
void step(const float *w, const float *input, float *output, int width, int height)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const float *p = input + INDEX(x, y, width);
            float result = *p;
            if (!(x == 0 || x == width - 1 || y == 0 || y == height - 1))
                result = p[0] * w[CENTRE] + w[NORTH] * p[-width] + w[SOUTH] * p[width] +
                         w[WEST] * p[-1] + w[EAST] * p[1];
            output[INDEX(x, y, width)] = result;
        }
    }
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : WIDTH;
    int height = argc > 2 ? atoi(argv[2]) : argc > 1 ? width : HEIGHT;
    int iterations = argc > 3 ? atoi(argv[3]) : ITERATIONS;
    if (width < 1 || height < 1 || iterations < 0) {
        printf("usage: stencil2d [width [height [iterations]]], sizes at least 1\n");
        return 2;
    }

    // Powers of two, so that every product is exact. A fused multiply-add then rounds like a
    // product and a sum, and host and device agree to the last bit. All five differ in position
    // or value, so that mixing up two neighbours shows.
    const float host_weights[5] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f};
    CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights)));

    size_t bytes = (size_t)width * height * sizeof(float);
    float *expected = (float *)malloc(bytes);
    float *scratch = (float *)malloc(bytes);
    float *result = (float *)malloc(bytes);
    srand(9);
    for (int i = 0; i < width * height; i++)
        expected[i] = 1.0f + (rand() % 1000) / 1000.0f;

    float *source, *target;
    CHECK(cudaMalloc((void **)&source, bytes));
    CHECK(cudaMalloc((void **)&target, bytes));
    CHECK(cudaMemcpy(source, expected, bytes, cudaMemcpyHostToDevice));

    dim3 block(TILE, TILE);
    dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    for (int i = 0; i < iterations; i++) {
        stencil<<<grid, block>>>(source, target, width, height);
        float *swap = source;
        source = target;
        target = swap;

        step(host_weights, expected, scratch, width, height);
        swap = expected;
        expected = scratch;
        scratch = swap;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(result, source, bytes, cudaMemcpyDeviceToHost));

    double total = 0.0;
    for (int i = 0; i < width * height; i++)
        total += result[i];
    printf("stencil2d: %d x %d, %d iterations, mean %.6f\n", width, height, iterations,
           total / width / height);
    int failed = 0;
    for (int i = 0; i < width * height; i++) {
        if (result[i] != expected[i]) {
            printf("mismatch at (%d, %d): expected %.8g, got %.8g\n", i % width, i / width,
                   expected[i], result[i]);
            failed = 1;
            break;
        }
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    CHECK(cudaFree(source));
    CHECK(cudaFree(target));
    free(expected);
    free(scratch);
    free(result);
    return failed;
}
