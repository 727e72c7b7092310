// pathfinder: the cheapest way through a grid from the first row to each place of the last, row by row.
// Measured in chapters 3 and 6 of the dissertation (Tables 3.2 and 6.2, "PathFind"), and in the paper on intra-warp
// compaction. Modelled on Rodinia's pathfinder.
//
// A block of 256 threads computes several rows at once in shared memory: with each row the first and the last of the
// threads that are still valid fall idle, so that the outer warps diverge ever more, the inner ones never. Two barriers
// for each row, and a loop that ends with a `break`.
//
// usage: pathfinder [columns [rows [rows in one launch]]]

#include "workload.h"

#define THREADS 256

#define INSIDE(x, low, high) ((x) >= (low) && (x) <= (high))
#define LESSER(a, b) ((a) <= (b) ? (a) : (b))

__global__ void rows_of_paths(int rows, const int *wall, const int *from, int *to, int columns, int first_row,
                              int border)
{
    __shared__ int before[THREADS];
    __shared__ int result[THREADS];
    int lane = threadIdx.x;

    // Blocks overlap by the places that become invalid.
    int small = THREADS - rows * 2;
    int first = small * blockIdx.x - border, last = first + THREADS - 1, column = first + lane;
    int valid_first = first < 0 ? -first : 0;
    int valid_last = last > columns - 1 ? THREADS - 1 - (last - columns + 1) : THREADS - 1;
    int west = lane - 1 < valid_first ? valid_first : lane - 1;
    int east = lane + 1 > valid_last ? valid_last : lane + 1;
    bool valid = INSIDE(lane, valid_first, valid_last);
    if (INSIDE(column, 0, columns - 1))
        before[lane] = from[column];
    __syncthreads();

    bool computed = false;
    for (int i = 0; i < rows; i++) {
        computed = false;
        if (INSIDE(lane, i + 1, THREADS - i - 2) && valid) {
            computed = true;
            int shortest = LESSER(before[west], before[lane]);
            shortest = LESSER(shortest, before[east]);
            result[lane] = shortest + wall[columns * (first_row + i) + column];
        }
        __syncthreads();
        if (i == rows - 1)
            break;
        if (computed)
            before[lane] = result[lane];
        __syncthreads();
    }
    if (computed)
        to[column] = result[lane];
}

// The costs of `width` places of the last row, from `left` on, by the places of all rows above that have a say in them.
static int *host_costs(const unsigned char *grid, int columns, int rows, int left, int width)
{
    int *now = (int *)malloc(columns * sizeof(int)), *next = (int *)malloc(columns * sizeof(int));
    for (int row = 0; row < rows; row++) {
        int margin = rows - 1 - row;
        int begin = left - margin < 0 ? 0 : left - margin;
        int end = left + width + margin > columns ? columns : left + width + margin;
        for (int x = begin; x < end; x++) {
            int best = 0;
            if (row) {
                best = now[x];
                if (x > 0 && now[x - 1] < best)
                    best = now[x - 1];
                if (x < columns - 1 && now[x + 1] < best)
                    best = now[x + 1];
            }
            next[x] = best + grid[row * columns + x];
        }
        int *other = now;
        now = next;
        next = other;
    }
    free(next);
    return now;
}

int main(int argc, char **argv)
{
    int columns = argument(argc, argv, 1, 1000), rows = argument(argc, argv, 2, 20);
    int together = argument(argc, argv, 3, 20);
    if (together > THREADS / 2 - 1) {
        printf("a launch can have at most %d rows\n", THREADS / 2 - 1);
        return 2;
    }
    // Costs are digits. Four of them are drawn at once.
    int places = columns * rows;
    unsigned char *grid = (unsigned char *)malloc(places + 3);
    int *wide = (int *)malloc((places + 3) * sizeof(int));
    for (int i = 0; i < places; i += 4) {
        unsigned drawn = random_bits();
        for (int k = 0; k < 4; k++) {
            grid[i + k] = (drawn & 0xff) * 10 >> 8;
            wide[i + k] = grid[i + k];
            drawn >>= 8;
        }
    }
    int *wall = to_device(wide, places), *from = to_device(wide, columns), *to = device_zeros<int>(columns);
    // The first row is where paths begin.
    for (int row = 1; row < rows; row += together) {
        int now = rows - row < together ? rows - row : together, small = THREADS - 2 * now;
        rows_of_paths<<<(columns + small - 1) / small, THREADS>>>(now, wall, from, to, columns, row, now);
        int *other = from;
        from = to;
        to = other;
    }
    CHECK(cudaDeviceSynchronize());
    int *found = to_host(from, columns);

    // All places of a narrow grid, both ends and a part of the middle of a wide one.
    int parts = columns <= 4000 ? 1 : 3, width = columns <= 4000 ? columns : 600;
    for (int part = 0; part < parts; part++) {
        int left = part == 0 ? 0 : part == 1 ? columns - width : columns / 2;
        int *expected = host_costs(grid, columns, rows, left, width);
        for (int x = left; x < left + width; x++)
            expect_int("column", x, expected[x], found[x]);
        free(expected);
    }
    CHECK(cudaFree(wall));
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return verdict("pathfinder");
}
