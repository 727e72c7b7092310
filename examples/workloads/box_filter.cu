// box_filter: a picture of four channels blurred by the mean of a square: rows, then columns.
//
// Measured in BCC ("BF" in Table 1, image filtering, a coherent kernel). Modelled on AMD's sample "BoxFilter", its
// separable kernels with the row in shared memory.
//
// Characteristic: blocks of 256 along a row load it and a halo; `thread < width of the filter - 1` loads the halo, and
// pixels too near the border become zero and end the thread early: both by thread and block numbers. A loop over the
// filter's width; coherent, with byte accesses of four at once.
//
// usage: box_filter [width] [height]     (width: a multiple of 256)

#include "workload.h"

#define THREADS 256
#define HALF 4
#define WIDTH (2 * HALF + 1)

__global__ void rows(const uchar4 *input, uint4 *output, int width)
{
    __shared__ uchar4 row[THREADS + WIDTH - 1];
    int x = blockIdx.x * THREADS + threadIdx.x, y = blockIdx.y, at = y * width + x;
    int before = x - HALF, after = x - HALF + THREADS;
    uchar4 nothing = make_uchar4(0, 0, 0, 0);
    row[threadIdx.x] = before >= 0 ? input[at - HALF] : nothing;
    if (threadIdx.x < WIDTH - 1)
        row[threadIdx.x + THREADS] = after < width ? input[at - HALF + THREADS] : nothing;
    __syncthreads();
    if (x < HALF || x >= width - HALF) {
        output[at] = make_uint4(0, 0, 0, 0);
        return;
    }
    uint4 sum = make_uint4(0, 0, 0, 0);
    for (int k = 0; k < WIDTH; k++) {
        uchar4 pixel = row[threadIdx.x + k];
        sum.x += pixel.x;
        sum.y += pixel.y;
        sum.z += pixel.z;
        sum.w += pixel.w;
    }
    output[at] = sum;
}

__global__ void columns(const uint4 *input, uchar4 *output, int width, int height)
{
    int x = blockIdx.x * THREADS + threadIdx.x, y = blockIdx.y, at = y * width + x;
    if (x < HALF || x >= width - HALF || y < HALF || y >= height - HALF) {
        output[at] = make_uchar4(0, 0, 0, 0);
        return;
    }
    uint4 sum = make_uint4(0, 0, 0, 0);
    for (int k = -HALF; k <= HALF; k++) {
        uint4 part = input[at + k * width];
        sum.x += part.x;
        sum.y += part.y;
        sum.z += part.z;
        sum.w += part.w;
    }
    const unsigned int area = WIDTH * WIDTH;
    output[at] = make_uchar4(sum.x / area, sum.y / area, sum.z / area, sum.w / area);
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 256), height = argument(argc, argv, 2, 12), count = width * height;
    if (width % THREADS) {
        printf("width: a multiple of %d\n", THREADS);
        return 2;
    }
    uchar4 *picture = (uchar4 *)malloc(count * sizeof(uchar4));
    for (int i = 0; i < count; i++) {
        unsigned int bits = random_bits();
        picture[i] = make_uchar4(bits, bits >> 8, bits >> 16, bits >> 24);
    }
    uchar4 *input = to_device(picture, count), *output = device_zeros<uchar4>(count);
    uint4 *between;
    CHECK(cudaMalloc((void **)&between, count * sizeof(uint4)));
    dim3 grid(width / THREADS, height);
    rows<<<grid, THREADS>>>(input, between, width);
    columns<<<grid, THREADS>>>(between, output, width, height);
    CHECK(cudaDeviceSynchronize());
    uchar4 *found = to_host(output, count);
    int step = 1 + count / 2048;
    for (int at = 0; at < count; at += step) {
        int x = at % width, y = at / width, sums[4] = {0, 0, 0, 0};
        bool inside = x >= HALF && x < width - HALF && y >= HALF && y < height - HALF;
        for (int k = 0; k < WIDTH * WIDTH && inside; k++) {
            uchar4 pixel = picture[at + (k / WIDTH - HALF) * width + k % WIDTH - HALF];
            sums[0] += pixel.x;
            sums[1] += pixel.y;
            sums[2] += pixel.z;
            sums[3] += pixel.w;
        }
        expect_int("red of pixel", at, sums[0] / (WIDTH * WIDTH), found[at].x);
        expect_int("green of pixel", at, sums[1] / (WIDTH * WIDTH), found[at].y);
        expect_int("blue of pixel", at, sums[2] / (WIDTH * WIDTH), found[at].z);
        expect_int("alpha of pixel", at, sums[3] / (WIDTH * WIDTH), found[at].w);
    }
    return verdict("box_filter");
}
