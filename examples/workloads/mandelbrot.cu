// mandelbrot: a picture of the Mandelbrot set, by blocks that fetch tiles of 16 x 16 pixels from a common counter.
//
// Measured in chapter 4 of the dissertation (MDBROT in Table 4.2; its branch is Figure 4.12(b)). Modelled on the CUDA
// SDK's sample "Mandelbrot", the kernel for devices with atomics: as many blocks as run at once stay until the counter
// has run out.
//
// Characteristic: the loop of a pixel ends when it leaves the circle (data), so lanes drop out one by one, and near the
// border of the set a few lanes keep a warp for `crunch` steps. Whether a pixel lies in the picture depends on
// numbers of threads and tiles alone. One thread of a block fetches the next tile between two barriers.
//
// usage: mandelbrot [width] [height] [steps] [blocks]; -DSTATIC_TILES: tiles by the number of the block, without a counter

#include "workload.h"

#define TILE 16

__device__ unsigned int next_tile;

// How many of `crunch` steps are left when the point leaves the circle of radius 2; 0: it has not.
__device__ inline int steps_left(float x0, float y0, int crunch)
{
    float x = 0, y = 0, xx = 0, yy = 0;
    int i = crunch;
    while (--i && xx + yy < 4.0f) {
        y = 2.0f * x * y + y0;
        x = xx - yy + x0;
        xx = x * x;
        yy = y * y;
    }
    return i;
}

__global__ void mandelbrot(uchar4 *picture, int imageW, int imageH, int crunch, float left, float top, float scale,
                           int tiles_across, unsigned int tiles)
{
#ifdef STATIC_TILES
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        unsigned int blockX = tile % tiles_across, blockY = tile / tiles_across;
#else
    __shared__ unsigned int tile, blockX, blockY;
    while (1) {
        if (threadIdx.x == 0 && threadIdx.y == 0) {
            tile = atomicAdd(&next_tile, 1u);
            blockX = tile % tiles_across;
            blockY = tile / tiles_across;
        }
        __syncthreads();
        if (tile >= tiles)
            break;
#endif
        const int ix = blockDim.x * blockX + threadIdx.x;
        const int iy = blockDim.y * blockY + threadIdx.y;
        if (ix < imageW && iy < imageH) {
            int m = steps_left(left + ix * scale, top + iy * scale, crunch);
            m = m > 0 ? crunch - m : 0;
            uchar4 color;
            if (m) {
                color.x = m * 5;
                color.y = m * 11;
                color.z = m * 7;
            } else {
                color.x = color.y = color.z = 0;
            }
            color.w = 255;
            picture[ix + iy * imageW] = color;
        }
#ifndef STATIC_TILES
        // No thread may fetch the next tile while others still read this one's number.
        __syncthreads();
#endif
    }
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 72), height = argument(argc, argv, 2, 40);
    int crunch = argument(argc, argv, 3, 64), blocks = argument(argc, argv, 4, 120);
    int across = (width + TILE - 1) / TILE, down = (height + TILE - 1) / TILE;
    // The whole set: 3 wide, seen from -2.
    float scale = 3.0f / width, left = -2.0f, top = -0.5f * scale * height;

    uchar4 *picture = device_zeros<uchar4>(width * height);
    mandelbrot<<<blocks, dim3(TILE, TILE)>>>(picture, width, height, crunch, left, top, scale, across, across * down);
    CHECK(cudaDeviceSynchronize());
    uchar4 *found = to_host(picture, width * height);

    // Points near the border may differ by rounding (fused multiply-add): none in a hundred of what is compared may.
    int stride = 1 + (int)((double)width * height * crunch / 2e6), different = 0, compared = 0;
    if (stride > 1)
        stride |= 1;
    for (int at = 0; at < width * height; at += stride) {
        float x0 = left + (at % width) * scale, y0 = top + (at / width) * scale;
        float x = 0, y = 0;
        int step = 1;
        while (step < crunch && x * x + y * y < 4.0f) {
            float both = x * y;
            x = x * x - y * y + x0;
            y = 2.0f * both + y0;
            step++;
        }
        int steps = step < crunch ? step : 0;
        different += found[at].x != (unsigned char)(steps * 5) || found[at].y != (unsigned char)(steps * 11);
        different += found[at].w != 255;
        compared++;
    }
    expect_int("pixels of 100 that differ: at", compared, 0, different * 100 / compared);
    return verdict("mandelbrot");
}
