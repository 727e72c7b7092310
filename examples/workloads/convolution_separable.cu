// convolution_separable: a picture convolved by a separable filter of radius 8: rows, then columns.
//
// Measured in chapter 4 of the dissertation (CONVSEP in Table 4.2). Modelled on the CUDA SDK's sample
// "convolutionSeparable" as it was in the CUDA 1 and 2 releases: rows by blocks of 152 threads (an aligned halo of 16,
// 128 pixels, a halo of 8), columns by blocks of 16 x 8 for tiles of 16 x 48. Later releases have no divergent branch,
// while the dissertation counts some in it.
//
// Characteristic: the first 8 of 152 threads load nothing and the last 24 store nothing, by thread numbers alone; only
// the first warp of a block diverges, so that nothing can be compacted. Halos beyond the picture are zeros. One
// barrier, then 17 unrolled products from shared memory. Nearly all coherent.
//
// usage: convolution_separable [width] [height]     (width: a multiple of 16)

#include "workload.h"

#define RADIUS 8
#define LENGTH (2 * RADIUS + 1)
#define RADIUS_ALIGNED 16
#define ROW_TILE 128
#define COLUMN_TILE_W 16
#define COLUMN_TILE_H 48

__constant__ float filter[LENGTH];

__global__ void convolve_rows(float *output, const float *input, int width)
{
    __shared__ float data[RADIUS + ROW_TILE + RADIUS];
    const int tile_start = blockIdx.x * ROW_TILE, tile_end = tile_start + ROW_TILE - 1;
    const int apron_start = tile_start - RADIUS, apron_end = tile_end + RADIUS;
    const int tile_end_clamped = min(tile_end, width - 1);
    const int apron_start_clamped = max(apron_start, 0), apron_end_clamped = min(apron_end, width - 1);
    const int row_start = blockIdx.y * width;
    // Loads begin where a segment of memory does; the threads before the halo have nothing to load.
    const int load_at = tile_start - RADIUS_ALIGNED + threadIdx.x;
    if (load_at >= apron_start)
        data[load_at - apron_start] =
            load_at >= apron_start_clamped && load_at <= apron_end_clamped ? input[row_start + load_at] : 0;
    __syncthreads();
    const int write_at = tile_start + threadIdx.x;
    if (write_at <= tile_end_clamped) {
        const int at = write_at - apron_start;
        float sum = 0;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += data[at + k] * filter[RADIUS - k];
        output[row_start + write_at] = sum;
    }
}

__global__ void convolve_columns(float *output, const float *input, int width, int height)
{
    __shared__ float data[COLUMN_TILE_W * (RADIUS + COLUMN_TILE_H + RADIUS)];
    const int tile_start = blockIdx.y * COLUMN_TILE_H, tile_end = tile_start + COLUMN_TILE_H - 1;
    const int apron_start = tile_start - RADIUS, apron_end = tile_end + RADIUS;
    const int tile_end_clamped = min(tile_end, height - 1);
    const int apron_start_clamped = max(apron_start, 0), apron_end_clamped = min(apron_end, height - 1);
    const int column = blockIdx.x * COLUMN_TILE_W + threadIdx.x;
    int shared_at = threadIdx.y * COLUMN_TILE_W + threadIdx.x;
    int global_at = (apron_start + (int)threadIdx.y) * width + column;
    for (int y = apron_start + threadIdx.y; y <= apron_end; y += blockDim.y) {
        data[shared_at] = y >= apron_start_clamped && y <= apron_end_clamped ? input[global_at] : 0;
        shared_at += blockDim.y * COLUMN_TILE_W;
        global_at += blockDim.y * width;
    }
    __syncthreads();
    shared_at = (threadIdx.y + RADIUS) * COLUMN_TILE_W + threadIdx.x;
    global_at = (tile_start + threadIdx.y) * width + column;
    for (int y = tile_start + threadIdx.y; y <= tile_end_clamped; y += blockDim.y) {
        float sum = 0;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += data[shared_at + k * COLUMN_TILE_W] * filter[RADIUS - k];
        output[global_at] = sum;
        shared_at += blockDim.y * COLUMN_TILE_W;
        global_at += blockDim.y * width;
    }
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 128), height = argument(argc, argv, 2, 48), count = width * height;
    if (width % COLUMN_TILE_W) {
        printf("width: a multiple of %d\n", COLUMN_TILE_W);
        return 2;
    }
    float *picture = (float *)malloc(count * sizeof(float)), weights[LENGTH];
    for (int i = 0; i < count; i++)
        picture[i] = random_below(16);
    for (int i = 0; i < LENGTH; i++)
        weights[i] = random_below(16);
    CHECK(cudaMemcpyToSymbol(filter, weights, sizeof(weights)));

    float *input = to_device(picture, count), *between = device_zeros<float>(count);
    float *output = device_zeros<float>(count);
    convolve_rows<<<dim3((width + ROW_TILE - 1) / ROW_TILE, height), RADIUS_ALIGNED + ROW_TILE + RADIUS>>>(
        between, input, width);
    convolve_columns<<<dim3(width / COLUMN_TILE_W, (height + COLUMN_TILE_H - 1) / COLUMN_TILE_H), dim3(16, 8)>>>(
        output, between, width, height);
    CHECK(cudaDeviceSynchronize());
    float *rows = to_host(between, count), *found = to_host(output, count);
    int sample = 1 + count / 8192;
    for (int at = 0; at < count; at += sample) {
        int x = at % width, y = at / width;
        double across = 0, down = 0;
        for (int k = -RADIUS; k <= RADIUS; k++) {
            if (x + k >= 0 && x + k < width)
                across += weights[RADIUS - k] * picture[at + k];
            if (y + k >= 0 && y + k < height)
                down += weights[RADIUS - k] * rows[at + k * width];
        }
        expect_float("row sum", at, across, rows[at], 1e-5);
        expect_float("pixel", at, down, found[at], 1e-5);
    }
    return verdict("convolution_separable");
}
