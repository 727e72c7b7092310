// laplace3d: Jacobi steps for Laplace's equation on a 3-D grid with fixed values at the border.
// Measured in chapters 3 and 4 of the dissertation (Tables 3.2 and 4.2, "LPS"). Modelled on the Laplace solver of the
// ISPASS-2009 benchmarks.
//
// A block of 32 by 4 threads moves through the planes and keeps three of them, each with a halo of one point, in a
// window of shared memory. The first 2 * (32 + 4 + 2) threads also load the halo. Which points is a branch on the
// thread's row; loads of the second path are not coalesced, and the last of the warps is partly idle. In each plane,
// points of the border take one path of a branch and copy, the others compute.
//
// usage: laplace3d [points along an edge, or: width height planes [steps]]

#include "workload.h"

#define TILE_X 32
#define TILE_Y 4
#define ROW (TILE_X + 2)
// One plane of the window, and one element against conflicts between planes.
#define PLANE (ROW * (TILE_Y + 2) + 1)

__global__ void laplace(int width, int height, int planes, int pitch, const float *from, float *to)
{
    __shared__ float window[3 * PLANE];
    int k = threadIdx.x + threadIdx.y * TILE_X;
    int x, y, halo_place = 0, halo_at = 0;

    bool halo = k < 2 * (TILE_X + TILE_Y + 2);
    if (halo) {
        if (threadIdx.y < 2) {
            // Rows above and below, coalesced.
            x = threadIdx.x;
            y = threadIdx.y * (TILE_Y + 1) - 1;
        } else {
            // Columns left and right, with the corners.
            x = (k % 2) * (TILE_X + 1) - 1;
            y = k / 2 - TILE_X - 1;
        }
        halo_place = x + 1 + (y + 1) * ROW + PLANE;
        x += blockIdx.x * TILE_X;
        y += blockIdx.y * TILE_Y;
        halo_at = x + y * pitch;
        halo = x >= 0 && x < width && y >= 0 && y < height;
    }
    int place = threadIdx.x + 1 + (threadIdx.y + 1) * ROW + PLANE;
    x = threadIdx.x + blockIdx.x * TILE_X;
    y = threadIdx.y + blockIdx.y * TILE_Y;
    int at = x + y * pitch, current;
    bool active = x < width && y < height;

    // There is no plane before the first one: nothing but the window's move reads it.
    if (active) {
        window[place] = 0;
        window[place + PLANE] = from[at];
    }
    if (halo) {
        window[halo_place] = 0;
        window[halo_place + PLANE] = from[halo_at];
    }

    for (int z = 0; z < planes; z++) {
        // The window moves on by one plane.
        current = at;
        if (active) {
            at += height * pitch;
            window[place - PLANE] = window[place];
            window[place] = window[place + PLANE];
            if (z < planes - 1)
                window[place + PLANE] = from[at];
        }
        if (halo) {
            halo_at += height * pitch;
            window[halo_place - PLANE] = window[halo_place];
            window[halo_place] = window[halo_place + PLANE];
            if (z < planes - 1)
                window[halo_place + PLANE] = from[halo_at];
        }
        __syncthreads();
        if (active) {
            float value;
            if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == planes - 1) {
                value = window[place];
            } else {
                value = (window[place - 1] + window[place + 1] + window[place - ROW] + window[place + ROW] +
                         window[place - PLANE] + window[place + PLANE]) *
                        (1.0f / 6.0f);
            }
            to[current] = value;
        }
        __syncthreads();
    }
}

// One step on the host, from `from` to `to`, both without padding of the rows.
static void host_step(const float *from, float *to, int width, int height, int planes)
{
    int plane = width * height;
    for (int z = 1; z < planes - 1; z++)
        for (int y = 1; y < height - 1; y++)
            for (int x = 1; x < width - 1; x++) {
                int at = x + y * width + z * plane;
                to[at] = (from[at - 1] + from[at + 1] + from[at - width] + from[at + width] + from[at - plane] +
                          from[at + plane]) *
                         (1.0f / 6.0f);
            }
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 32);
    int height = argument(argc, argv, 2, width), planes = argument(argc, argv, 3, width);
    int steps = argument(argc, argv, 4, 1);
    // Rows begin at multiples of 32 elements.
    int pitch = (width + 31) / 32 * 32, padded = pitch * height * planes, points = width * height * planes;
    float *grid = (float *)malloc(points * sizeof(float)), *rows = (float *)calloc(padded, sizeof(float));
    for (int i = 0; i < points; i++)
        grid[i] = random_unit();
    for (int i = 0; i < height * planes; i++)
        memcpy(rows + i * pitch, grid + i * width, width * sizeof(float));
    float *from = to_device(rows, padded), *to = to_device(rows, padded);
    dim3 block(TILE_X, TILE_Y), blocks((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
    for (int step = 0; step < steps; step++) {
        laplace<<<blocks, block>>>(width, height, planes, pitch, from, to);
        float *other = from;
        from = to;
        to = other;
    }
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(from, padded);

    // The whole grid where it is small; otherwise a sample of the last step.
    if (points <= 20000) {
        float *next = (float *)malloc(points * sizeof(float));
        memcpy(next, grid, points * sizeof(float));
        for (int step = 0; step < steps; step++) {
            host_step(grid, next, width, height, planes);
            memcpy(grid, next, points * sizeof(float));
        }
        for (int i = 0; i < points; i++)
            expect_float("point", i, grid[i], found[i / width * pitch + i % width], 1e-5);
    } else {
        float *earlier = to_host(to, padded);
        for (int i = 0; i < 5000; i++) {
            int x = random_below(width), y = random_below(height), z = random_below(planes);
            int at = x + y * pitch + z * height * pitch, plane = height * pitch;
            double expected = earlier[at];
            if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < planes - 1)
                expected = ((double)earlier[at - 1] + earlier[at + 1] + earlier[at - pitch] + earlier[at + pitch] +
                            earlier[at - plane] + earlier[at + plane]) /
                           6;
            expect_float("place", at, expected, found[at], 1e-5);
        }
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return verdict("laplace3d");
}
