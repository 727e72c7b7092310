// suite: sdk42
// includes: transpose
// unchanged
#include "driver.h"
#define main their_main
#include "transpose.cu"
#undef main

static float *in_device, *out_device, *in_host, *out_host;

static int wrong_transposed(int width, int height)
{
    int wrong = 0;
    to_host(out_host, out_device, width * height);
    cudaMemset(out_device, 0, width * height * sizeof(float));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            wrong += out_host[x * height + y] != in_host[y * width + x];
    return wrong;
}

static int wrong_copied(int count)
{
    int wrong = 0;
    to_host(out_host, out_device, count);
    cudaMemset(out_device, 0, count * sizeof(float));
    for (int i = 0; i < count; i++)
        wrong += out_host[i] != in_host[i];
    return wrong;
}

// Each tile transposed, but left where it was, or the tiles moved and left as they were.
static int wrong_tiles(int width, int height, bool inside)
{
    int wrong = 0;
    to_host(out_host, out_device, width * height);
    cudaMemset(out_device, 0, width * height * sizeof(float));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int tile_x = x / TILE_DIM * TILE_DIM, tile_y = y / TILE_DIM * TILE_DIM;
            int to_x = inside ? tile_x + y - tile_y : tile_y + x - tile_x;
            int to_y = inside ? tile_y + x - tile_x : tile_x + y - tile_y;
            wrong += out_host[to_y * (inside ? width : height) + to_x] != in_host[y * width + x];
        }
    return wrong;
}

static int check(int width, int height)
{
    int count = width * height, wrong = 0;
    for (int i = 0; i < count; i++)
        in_host[i] = (float)i;
    cudaMemcpy(in_device, in_host, count * sizeof(float), cudaMemcpyHostToDevice);
    dim3 grid(width / TILE_DIM, height / TILE_DIM), block(TILE_DIM, BLOCK_ROWS);
    copy<<<grid, block>>>(out_device, in_device, width, height, 1);
    wrong += wrong_copied(count);
    if (width == height) {
        copySharedMem<<<grid, block>>>(out_device, in_device, width, height, 1);
        wrong += wrong_copied(count);
        transposeFineGrained<<<grid, block>>>(out_device, in_device, width, height, 1);
        wrong += wrong_tiles(width, height, true);
    }
    transposeNaive<<<grid, block>>>(out_device, in_device, width, height, 1);
    wrong += wrong_transposed(width, height);
    transposeCoalesced<<<grid, block>>>(out_device, in_device, width, height, 1);
    wrong += wrong_transposed(width, height);
    transposeNoBankConflicts<<<grid, block>>>(out_device, in_device, width, height, 2);
    wrong += wrong_transposed(width, height);
    transposeDiagonal<<<grid, block>>>(out_device, in_device, width, height, 1);
    wrong += wrong_transposed(width, height);
    transposeCoarseGrained<<<grid, block>>>(out_device, in_device, width, height, 1);
    wrong += wrong_tiles(width, height, false);
    return wrong;
}

int main()
{
    int most = 64 * 64;
    in_host = (float *)malloc(most * sizeof(float));
    out_host = (float *)malloc(most * sizeof(float));
    cudaMalloc(&in_device, most * sizeof(float));
    cudaMalloc(&out_device, most * sizeof(float));
    int wrong = check(64, 64) + check(96, 32);
    if (wrong)
        printf("%d wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
