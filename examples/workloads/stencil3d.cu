// stencil3d: steps of a seven-point stencil on a 3-D grid.
// Measured in chapter 3 of the dissertation (Table 3.2, "Stencil"). Modelled on Parboil's stencil, the version with
// tiles in shared memory, in which a thread has two columns of the grid.
//
// A block of 32 by 4 threads has a tile of 64 by 4 and moves through the planes. The plane in the middle lies in shared
// memory, those before and after in registers. A neighbour inside the tile is read from shared memory, one outside it
// from global memory: a branch with a load on each path. For left and right neighbours the branch diverges (the first
// or last lane against the rest), for those above and below it is uniform in a warp. Two barriers for each plane.
//
// usage: stencil3d [width [height [planes [steps]]]]

#include "workload.h"

#define TILE_X 32
#define TILE_Y 4
#define ROW (2 * TILE_X)

#define AT(x, y, z) ((x) + width * ((y) + height * (z)))

__global__ void stencil(float center, float around, const float *from, float *to, int width, int height, int planes)
{
    __shared__ float tile[ROW * TILE_Y];
    int x = blockIdx.x * ROW + threadIdx.x, far = x + TILE_X;
    int y = blockIdx.y * TILE_Y + threadIdx.y;
    int here = threadIdx.x + threadIdx.y * ROW, there = here + TILE_X;
    tile[here] = 0;
    tile[there] = 0;
    __syncthreads();

    bool inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
    bool far_inner = y > 0 && far < width - 1 && y < height - 1;
    bool left = threadIdx.x == 0, right = threadIdx.x == TILE_X - 1;
    bool top_row = threadIdx.y == 0, bottom_row = threadIdx.y == TILE_Y - 1;

    float before = 0, far_before = 0, after = 0, far_after = 0;
    if (x < width && y < height) {
        before = from[AT(x, y, 0)];
        tile[here] = from[AT(x, y, 1)];
    }
    if (far < width && y < height) {
        far_before = from[AT(far, y, 0)];
        tile[there] = from[AT(far, y, 1)];
    }
    __syncthreads();

    for (int z = 1; z < planes - 1; z++) {
        if (x < width && y < height)
            after = from[AT(x, y, z + 1)];
        if (far < width && y < height)
            far_after = from[AT(far, y, z + 1)];
        // The first of the thread's columns has its right neighbour in the tile, the second its left one.
        if (inner) {
            float down, up, side;
            if (bottom_row)
                down = from[AT(x, y + 1, z)];
            else
                down = tile[here + ROW];
            if (top_row)
                up = from[AT(x, y - 1, z)];
            else
                up = tile[here - ROW];
            if (left)
                side = from[AT(x - 1, y, z)];
            else
                side = tile[here - 1];
            to[AT(x, y, z)] = (after + before + up + down + tile[here + 1] + side) * around - tile[here] * center;
        }
        if (far_inner) {
            float down, up, side;
            if (bottom_row)
                down = from[AT(far, y + 1, z)];
            else
                down = tile[there + ROW];
            if (top_row)
                up = from[AT(far, y - 1, z)];
            else
                up = tile[there - ROW];
            if (right)
                side = from[AT(far + 1, y, z)];
            else
                side = tile[there + 1];
            to[AT(far, y, z)] =
                (far_after + far_before + up + down + tile[there - 1] + side) * around - tile[there] * center;
        }
        __syncthreads();
        before = tile[here];
        tile[here] = after;
        far_before = tile[there];
        tile[there] = far_after;
        __syncthreads();
    }
}

// One place after `steps` steps, from the box of the first grid that has a say in it; the border keeps its values.
static double expected_at(const float *grid, int width, int height, int planes, int x, int y, int z, int steps)
{
    int side = 2 * steps + 1, box = side * side * side;
    double *now = (double *)calloc(box, sizeof(double)), *next = (double *)calloc(box, sizeof(double));
    for (int pass = 0; pass <= steps; pass++) {
        // Each pass leaves out one more layer of the box; pass 0 is the grid itself.
        for (int i = 0; i < box; i++) {
            int dx = i % side - steps, dy = i / side % side - steps, dz = i / side / side - steps;
            int reach = steps - pass;
            if (abs(dx) > reach || abs(dy) > reach || abs(dz) > reach)
                continue;
            int gx = x + dx, gy = y + dy, gz = z + dz;
            if (gx < 0 || gy < 0 || gz < 0 || gx >= width || gy >= height || gz >= planes)
                continue;
            bool border = gx == 0 || gy == 0 || gz == 0 || gx == width - 1 || gy == height - 1 || gz == planes - 1;
            if (pass == 0 || border)
                next[i] = grid[AT(gx, gy, gz)];
            else
                next[i] = (now[i - 1] + now[i + 1] + now[i - side] + now[i + side] + now[i - side * side] +
                           now[i + side * side]) /
                              36 -
                          now[i] / 6;
        }
        double *other = now;
        now = next;
        next = other;
    }
    double value = now[box / 2];
    free(now);
    free(next);
    return value;
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 64), height = argument(argc, argv, 2, 16);
    int planes = argument(argc, argv, 3, 6), steps = argument(argc, argv, 4, 2);
    if (planes < 3) {
        printf("there must be at least 3 planes\n");
        return 2;
    }
    int points = width * height * planes;
    float *grid = (float *)malloc(points * sizeof(float));
    for (int i = 0; i < points; i++)
        grid[i] = random_unit();
    float *from = to_device(grid, points), *to = to_device(grid, points);
    dim3 block(TILE_X, TILE_Y), blocks((width + ROW - 1) / ROW, (height + TILE_Y - 1) / TILE_Y);
    for (int step = 0; step < steps; step++) {
        stencil<<<blocks, block>>>(1.0f / 6.0f, 1.0f / 36.0f, from, to, width, height, planes);
        float *other = from;
        from = to;
        to = other;
    }
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(from, points);

    // All places of a small grid, a sample of a large one.
    int side = 2 * steps + 1;
    int samples = points <= 4096 && steps == 1 ? points : 3 + 40000 / (side * side * side * steps);
    for (int i = 0; i < samples; i++) {
        int place = samples == points ? i : (int)(random_bits() % points);
        int x = place % width, y = place / width % height, z = place / width / height;
        double value = expected_at(grid, width, height, planes, x, y, z, steps);
        expect_float("place", place, value, found[place], 1e-4);
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return verdict("stencil3d");
}
