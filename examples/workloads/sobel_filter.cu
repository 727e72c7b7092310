// sobel_filter: the edges of a grey picture by Sobel's operator.
//
// Measured in chapter 4 of the dissertation (SOBFLT in Table 4.2) and in BCC ("SblFr" in Table 1, a coherent kernel).
// Modelled on the CUDA SDK's sample "SobelFilter", its kernel with shared memory: blocks of 16 x 4 threads take
// stretches of 320 x 4 pixels, four a thread and round. The SDK reads the picture as a texture (clamped at the border);
// here by plain loads from clamped places.
//
// Characteristic: a warp is two rows of 16. 82 words a row by 16 threads: the last round has 2 of 16 lanes, alike in
// all warps; two more rows by `threadIdx.y < 2` (one warp of two); a block at the right border stores part of
// its stretch; all by thread and block numbers. Each pixel is limited to 0 to 255 by branches on data.
//
// usage: sobel_filter [width] [height]     (width: a multiple of 4)

#include "workload.h"

#define RADIUS 1
#define STRETCH 80
#define BLOCK_X 16
#define BLOCK_Y 4
#define PITCH (4 * (STRETCH + 2 * RADIUS))

__device__ inline unsigned char sobel(unsigned char ul, unsigned char um, unsigned char ur, unsigned char ml,
                                      unsigned char mr, unsigned char ll, unsigned char lm, unsigned char lr,
                                      float scale)
{
    short horizontal = ur + 2 * mr + lr - ul - 2 * ml - ll;
    short vertical = ul + 2 * um + ur - ll - 2 * lm - lr;
    short sum = (short)(scale * (abs((int)horizontal) + abs((int)vertical)));
    if (sum < 0)
        return 0;
    else if (sum > 0xff)
        return 0xff;
    return (unsigned char)sum;
}

__device__ inline unsigned char pixel(const unsigned char *picture, int w, int h, int x, int y)
{
    x = min(max(x, 0), w - 1);
    y = min(max(y, 0), h - 1);
    return picture[y * w + x];
}

__global__ void sobel_filter(uchar4 *output, const unsigned char *picture, int w, int h, float scale)
{
    __shared__ unsigned char part[(BLOCK_Y + 2 * RADIUS) * PITCH];
    int u = 4 * blockIdx.x * STRETCH, v = blockIdx.y * blockDim.y + threadIdx.y;
    int row = threadIdx.y * PITCH;
    for (int ib = threadIdx.x; ib < STRETCH + 2 * RADIUS; ib += blockDim.x) {
        part[row + 4 * ib] = pixel(picture, w, h, u + 4 * ib - RADIUS, v - RADIUS);
        part[row + 4 * ib + 1] = pixel(picture, w, h, u + 4 * ib - RADIUS + 1, v - RADIUS);
        part[row + 4 * ib + 2] = pixel(picture, w, h, u + 4 * ib - RADIUS + 2, v - RADIUS);
        part[row + 4 * ib + 3] = pixel(picture, w, h, u + 4 * ib - RADIUS + 3, v - RADIUS);
    }
    if (threadIdx.y < RADIUS * 2) {
        // The rows below the block's own.
        row = (blockDim.y + threadIdx.y) * PITCH;
        int below = v + blockDim.y - RADIUS;
        for (int ib = threadIdx.x; ib < STRETCH + 2 * RADIUS; ib += blockDim.x) {
            part[row + 4 * ib] = pixel(picture, w, h, u + 4 * ib - RADIUS, below);
            part[row + 4 * ib + 1] = pixel(picture, w, h, u + 4 * ib - RADIUS + 1, below);
            part[row + 4 * ib + 2] = pixel(picture, w, h, u + 4 * ib - RADIUS + 2, below);
            part[row + 4 * ib + 3] = pixel(picture, w, h, u + 4 * ib - RADIUS + 3, below);
        }
    }
    __syncthreads();

    u >>= 2;
    row = threadIdx.y * PITCH;
    for (int ib = threadIdx.x; ib < STRETCH; ib += blockDim.x) {
        const unsigned char *above = part + row + 4 * ib, *same = above + PITCH, *under = same + PITCH;
        uchar4 out;
        out.x = sobel(above[0], above[1], above[2], same[0], same[2], under[0], under[1], under[2], scale);
        out.y = sobel(above[1], above[2], above[3], same[1], same[3], under[1], under[2], under[3], scale);
        out.z = sobel(above[2], above[3], above[4], same[2], same[4], under[2], under[3], under[4], scale);
        out.w = sobel(above[3], above[4], above[5], same[3], same[5], under[3], under[4], under[5], scale);
        if (u + ib < w / 4 && v < h)
            output[v * (w / 4) + u + ib] = out;
    }
}

static int at(const unsigned char *picture, int w, int h, int x, int y)
{
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    return picture[y * w + x];
}

int main(int argc, char **argv)
{
    int w = argument(argc, argv, 1, 64), h = argument(argc, argv, 2, 16), count = w * h;
    if (w % 4) {
        printf("the width must be a multiple of 4\n");
        return 2;
    }
    // Smooth waves with a few sharp squares, and noise: some edges reach the limit of 255.
    unsigned char *picture = (unsigned char *)malloc(count);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int wave = (x * 3 + y * 2) % 128, square = (x / 24 + y / 24) % 5 == 0 ? 90 : 0;
            picture[y * w + x] = (wave < 64 ? wave : 127 - wave) + square + random_below(16);
        }
    }
    unsigned char *input = to_device(picture, count);
    uchar4 *output = device_zeros<uchar4>(count / 4);
    dim3 grid((w / 4 + STRETCH - 1) / STRETCH, (h + BLOCK_Y - 1) / BLOCK_Y);
    sobel_filter<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(output, input, w, h, 1.0f);
    CHECK(cudaDeviceSynchronize());
    uchar4 *found = to_host(output, count / 4);
    const int across[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1}, down[9] = {1, 2, 1, 0, 0, 0, -1, -2, -1};
    int sample = 1 + count / 8192;
    for (int i = 0; i < count; i += sample) {
        int horizontal = 0, vertical = 0;
        for (int k = 0; k < 9; k++) {
            int value = at(picture, w, h, i % w + k % 3 - 1, i / w + k / 3 - 1);
            horizontal += across[k] * value;
            vertical += down[k] * value;
        }
        int sum = (horizontal < 0 ? -horizontal : horizontal) + (vertical < 0 ? -vertical : vertical);
        uchar4 four = found[i / 4];
        unsigned char value = i % 4 == 0 ? four.x : i % 4 == 1 ? four.y : i % 4 == 2 ? four.z : four.w;
        expect_int("pixel", i, sum > 255 ? 255 : sum, value);
    }
    return verdict("sobel_filter");
}
