// hotspot: temperatures of a chip from the power of its parts, by steps in time on a 2-D grid.
// Measured in chapters 3 and 6 of the dissertation (Tables 3.2 and 6.2, "HOTSPOT"), in the paper on the affine vector
// cache and in that on intra-warp compaction. Modelled on Rodinia's hotspot.
//
// A block of 16 by 16 threads computes several steps at once: in each step the tile loses a ring of valid points, so
// that the outer threads fall idle one ring after the other (a branch on both of the thread's numbers; a warp has two
// rows of 16). Where a neighbour lies outside the grid, the thread's own row or column stands for it. Two barriers for
// each step, and a loop that ends with a `break`.
//
// usage: hotspot [points along an edge [steps [steps in one launch]]]

#include "workload.h"

#define TILE 16

struct Chip {
    float step_over_capacity, rx_inverse, ry_inverse, rz_inverse;
};

#define INSIDE(x, low, high) ((x) >= (low) && (x) <= (high))

__global__ void heat(int steps, const float *power, const float *from, float *to, int columns, int rows, int ring,
                     Chip chip)
{
    __shared__ float now[TILE][TILE];
    __shared__ float tile_power[TILE][TILE];
    __shared__ float next[TILE][TILE];
    const float ambient = 80.0f;
    int tx = threadIdx.x, ty = threadIdx.y;

    // Tiles overlap by the rings that become invalid.
    int small = TILE - 2 * steps;
    int tile_y = small * blockIdx.y - ring, tile_x = small * blockIdx.x - ring;
    int last_y = tile_y + TILE - 1, last_x = tile_x + TILE - 1;
    int y = tile_y + ty, x = tile_x + tx, at = columns * y + x;
    if (INSIDE(y, 0, rows - 1) && INSIDE(x, 0, columns - 1)) {
        now[ty][tx] = from[at];
        tile_power[ty][tx] = power[at];
    }
    __syncthreads();

    int valid_top = tile_y < 0 ? -tile_y : 0;
    int valid_bottom = last_y > rows - 1 ? TILE - 1 - (last_y - rows + 1) : TILE - 1;
    int valid_left = tile_x < 0 ? -tile_x : 0;
    int valid_right = last_x > columns - 1 ? TILE - 1 - (last_x - columns + 1) : TILE - 1;
    int north = ty - 1 < valid_top ? valid_top : ty - 1;
    int south = ty + 1 > valid_bottom ? valid_bottom : ty + 1;
    int west = tx - 1 < valid_left ? valid_left : tx - 1;
    int east = tx + 1 > valid_right ? valid_right : tx + 1;

    bool computed = false;
    for (int i = 0; i < steps; i++) {
        computed = false;
        if (INSIDE(tx, i + 1, TILE - i - 2) && INSIDE(ty, i + 1, TILE - i - 2) &&
            INSIDE(tx, valid_left, valid_right) && INSIDE(ty, valid_top, valid_bottom)) {
            computed = true;
            next[ty][tx] = now[ty][tx] +
                           chip.step_over_capacity *
                               (tile_power[ty][tx] +
                                (now[south][tx] + now[north][tx] - 2.0f * now[ty][tx]) * chip.ry_inverse +
                                (now[ty][east] + now[ty][west] - 2.0f * now[ty][tx]) * chip.rx_inverse +
                                (ambient - now[ty][tx]) * chip.rz_inverse);
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (computed)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (computed)
        to[at] = next[ty][tx];
}

// What the chip is made of: 16 mm by 16 mm of silicon, 0.5 mm thick.
static Chip chip_of(int columns, int rows)
{
    const float thickness = 0.0005f, side = 0.016f, heat_of_silicon = 1.75e6f, conductivity = 100.0f;
    float width = side / columns, height = side / rows;
    float capacity = 0.5f * heat_of_silicon * thickness * width * height;
    float rx = height / (2.0f * conductivity * thickness * width);
    float ry = width / (2.0f * conductivity * thickness * height);
    float rz = thickness / (conductivity * height * width);
    float steepest = 3.0e6f / (0.5f * thickness * heat_of_silicon);
    Chip chip = {0.001f / steepest / capacity, 1.0f / rx, 1.0f / ry, 1.0f / rz};
    return chip;
}

// A step on the host for the points of a rectangle; a neighbour outside the grid is the point itself.
static void host_step(const float *power, const float *from, float *to, int columns, int rows, const int *box,
                      Chip chip)
{
    for (int y = box[1]; y < box[3]; y++)
        for (int x = box[0]; x < box[2]; x++) {
            int at = y * columns + x;
            float here = from[at], left = x ? from[at - 1] : here, right = x < columns - 1 ? from[at + 1] : here;
            float up = y ? from[at - columns] : here, down = y < rows - 1 ? from[at + columns] : here;
            to[at] = here + chip.step_over_capacity * (power[at] + (up + down - 2 * here) * chip.ry_inverse +
                                                       (left + right - 2 * here) * chip.rx_inverse +
                                                       (80 - here) * chip.rz_inverse);
        }
}

// Compares the points of a rectangle of at most `side` points along an edge.
static void compare(const float *power, float *temperature, const float *found, int columns, int rows, int steps,
                    int left, int top, int side, Chip chip)
{
    float *other = (float *)malloc(columns * rows * sizeof(float));
    for (int step = 1; step <= steps; step++) {
        // The rectangle with a margin of the steps that are still to come.
        int margin = steps - step, box[4] = {left - margin, top - margin, left + side + margin, top + side + margin};
        for (int i = 0; i < 4; i++) {
            int limit = i % 2 ? rows : columns;
            box[i] = box[i] < 0 ? 0 : box[i] > limit ? limit : box[i];
        }
        host_step(power, temperature, other, columns, rows, box, chip);
        float *swap = temperature;
        temperature = other;
        other = swap;
    }
    for (int y = top; y < top + side && y < rows; y++)
        for (int x = left; x < left + side && x < columns; x++)
            expect_float("point", y * columns + x, temperature[y * columns + x], found[y * columns + x], 1e-4);
}

int main(int argc, char **argv)
{
    int columns = argument(argc, argv, 1, 64), rows = columns;
    int steps = argument(argc, argv, 2, 4), together = argument(argc, argv, 3, 2);
    if (together > 7) {
        printf("a launch can have at most 7 steps\n");
        return 2;
    }
    int points = columns * rows;
    float *temperature = (float *)malloc(points * sizeof(float)), *power = (float *)malloc(points * sizeof(float));
    for (int i = 0; i < points; i++) {
        temperature[i] = 320.0f + 20.0f * random_unit();
        power[i] = 0.00001f * random_unit();
    }
    Chip chip = chip_of(columns, rows);
    float *power_there = to_device(power, points);
    float *from = to_device(temperature, points), *to = device_zeros<float>(points);
    for (int step = 0; step < steps; step += together) {
        int now = steps - step < together ? steps - step : together, small = TILE - 2 * now;
        dim3 blocks((columns + small - 1) / small, (rows + small - 1) / small);
        heat<<<blocks, dim3(TILE, TILE)>>>(now, power_there, from, to, columns, rows, now, chip);
        float *other = from;
        from = to;
        to = other;
    }
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(from, points);

    if (columns <= 64) {
        compare(power, temperature, found, columns, rows, steps, 0, 0, columns, chip);
    } else {
        float *copy = (float *)malloc(points * sizeof(float));
        int corners[3][2] = {{0, 0}, {columns - 24, rows - 24}, {columns / 2, rows / 3}};
        for (int i = 0; i < 3; i++) {
            memcpy(copy, temperature, points * sizeof(float));
            compare(power, copy, found, columns, rows, steps, corners[i][0], corners[i][1], 24, chip);
        }
    }
    CHECK(cudaFree(power_there));
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return verdict("hotspot");
}
