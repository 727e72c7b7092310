// matrix_transpose: the transpose of a matrix, in four ways.
//
// BCC (Table 1) measures matrix transposes; DAC's kind too, but our text of that paper stops before its list.
// Modelled on the CUDA SDK's transpose.
//
// Characteristic: blocks of 32 x 8 threads, four elements for each thread. The naive kernel's stores are a column
// apart (32 sectors for each warp); the tiled one exchanges rows and columns in shared memory, with conflicts at
// every bank unless its rows are padded; the diagonal one renumbers the blocks with divisions of uniform values. All
// addresses are affine but the diagonal one's blocks; memory-bound.
//
// usage: matrix_transpose [width [height [which]]]; multiples of 32; which: 1 naive, 2 tiled, 3 padded, 4 diagonal,
// 5 all

#include "workload.h"

#define TILE 32
#define BLOCK_ROWS 8

__global__ void naive(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    int from = x + width * y;
    int to = y + height * x;
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        out[to + i] = in[from + i * width];
}

// PADDING 1 puts the words of a column into different banks.
template <int PADDING> __global__ void tiled(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE][TILE + PADDING];
    int from = blockIdx.x * TILE + threadIdx.x + (blockIdx.y * TILE + threadIdx.y) * width;
    int to = blockIdx.y * TILE + threadIdx.x + (blockIdx.x * TILE + threadIdx.y) * height;
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
    __syncthreads();
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        out[to + i * height] = tile[threadIdx.x][threadIdx.y + i];
}

// Neighbouring blocks lie on diagonals, so that they write to different partitions of memory.
__global__ void diagonal(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int block_x, block_y;
    if (width == height) {
        block_y = blockIdx.x;
        block_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    } else {
        int block = blockIdx.x + gridDim.x * blockIdx.y;
        block_y = block % gridDim.y;
        block_x = (block / gridDim.y + block_y) % gridDim.x;
    }
    int from = block_x * TILE + threadIdx.x + (block_y * TILE + threadIdx.y) * width;
    int to = block_y * TILE + threadIdx.x + (block_x * TILE + threadIdx.y) * height;
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
    __syncthreads();
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        out[to + i * height] = tile[threadIdx.x][threadIdx.y + i];
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 1536);
    int height = argument(argc, argv, 2, 768);
    int which = argument(argc, argv, 3, 5);
    if (width % TILE || height % TILE || which > 5) {
        printf("width and height must be multiples of %d, which 1 to 5\n", TILE);
        return 2;
    }
    int count = width * height;
    float *host = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++)
        host[i] = i;
    float *in = to_device(host, count);
    dim3 block(TILE, BLOCK_ROWS), grid(width / TILE, height / TILE);
    for (int kind = which == 5 ? 1 : which; kind <= which && kind <= 4; kind++) {
        // Fresh for each, so that no kernel's result stands for another's.
        float *out = device_zeros<float>(count);
        if (kind == 1)
            naive<<<grid, block>>>(out, in, width, height);
        else if (kind == 2)
            tiled<0><<<grid, block>>>(out, in, width, height);
        else if (kind == 3)
            tiled<1><<<grid, block>>>(out, in, width, height);
        else
            diagonal<<<grid, block>>>(out, in, width, height);
        CHECK(cudaGetLastError());
        float *result = to_host(out, count);
        int stride = count <= 16384 ? 1 : 37;
        for (int i = 0; i < count; i += stride)
            expect_float("element", i, host[i % height * width + i / height], result[i], 0);
        CHECK(cudaFree(out));
        free(result);
    }
    CHECK(cudaFree(in));
    free(host);
    return verdict("matrix_transpose");
}
