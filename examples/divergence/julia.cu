// julia: a Julia set with two rules, by the point's half-plane: the Mandelbrot kind of kernel, whose loop
// each thread leaves at another time, with both sides of a branch at work in it.
//
// usage: julia [width [height [rounds]]]

#include "check.h"

// Fixed point with 12 bits behind the point.
#define ONE 4096

__host__ __device__ int escape(int x, int y, int rounds)
{
    int i;
    for (i = 0; i < rounds; i++) {
        int xx = x * x >> 12, yy = y * y >> 12;
        if (xx + yy > 4 * ONE)
            break;
        int xy = x * y >> 11;
        if (x < 0) {
            x = xx - yy - 2949;
            y = xy + 614;
        } else {
            y = xy - 533;
            x = xx - yy + 1147;
        }
    }
    return i;
}

__global__ void julia(int *counts, int width, int height, int rounds)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    int x = column * 3 * ONE / width - 3 * ONE / 2, y = row * 3 * ONE / height - 3 * ONE / 2;
    counts[row * width + column] = escape(x, y, rounds);
}

int main(int argc, char **argv)
{
    int width = number(argc, argv, 1, 128), height = number(argc, argv, 2, 64);
    int rounds = number(argc, argv, 3, 64);
    int *expected = (int *)malloc(width * height * sizeof(int));
    for (int i = 0; i < width * height; i++) {
        int x = i % width * 3 * ONE / width - 3 * ONE / 2;
        int y = i / width * 3 * ONE / height - 3 * ONE / 2;
        expected[i] = escape(x, y, rounds);
    }
    int *counts = on_device(NULL, width * height);
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    julia<<<grid, block>>>(counts, width, height, rounds);
    CHECK(cudaDeviceSynchronize());
    return verdict("julia", expected, counts, width * height);
}
