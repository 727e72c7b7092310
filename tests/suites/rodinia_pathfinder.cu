// suite: rodinia
// includes: cuda/pathfinder
// unchanged
#define main their_main
#include "pathfinder.cu"
#undef main

// The cheapest way down a wall, against the rows of the table on the host.
int main()
{
    rows = 40;
    cols = 700;
    pyramid_height = 7;
    int *wall_host = (int *)malloc(rows * cols * sizeof(int));
    int *row = (int *)malloc(cols * sizeof(int)), *next = (int *)malloc(cols * sizeof(int));
    srand(M_SEED);
    for (int i = 0; i < rows * cols; i++)
        wall_host[i] = rand() % 10;
    memcpy(row, wall_host, cols * sizeof(int));
    for (int t = 1; t < rows; t++) {
        for (int x = 0; x < cols; x++) {
            int best = row[x];
            if (x > 0 && row[x - 1] < best)
                best = row[x - 1];
            if (x + 1 < cols && row[x + 1] < best)
                best = row[x + 1];
            next[x] = best + wall_host[t * cols + x];
        }
        int *other = row;
        row = next;
        next = other;
    }
    int *wall_d, *rows_d[2];
    cudaMalloc(&wall_d, (rows - 1) * cols * sizeof(int));
    cudaMalloc(&rows_d[0], cols * sizeof(int));
    cudaMalloc(&rows_d[1], cols * sizeof(int));
    cudaMemcpy(rows_d[0], wall_host, cols * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(wall_d, wall_host + cols, (rows - 1) * cols * sizeof(int), cudaMemcpyHostToDevice);
    int target = BLOCK_SIZE - pyramid_height * HALO * 2;
    int blocks = cols / target + (cols % target != 0);
    int last = calc_path(wall_d, rows_d, rows, cols, pyramid_height, blocks, pyramid_height * HALO);
    cudaMemcpy(next, rows_d[last], cols * sizeof(int), cudaMemcpyDeviceToHost);
    puts(memcmp(next, row, cols * sizeof(int)) == 0 ? "PASS" : "wrong");
    return 0;
}

// out: PASS
