// needleman_wunsch: global alignment of two sequences by dynamic programming.
// Measured in chapters 3, 5 and 6 of the dissertation (Tables 3.2, 5.4 and 6.2, "NW"), in the paper on the affine
// vector cache and in that on intra-warp compaction. Modelled on Rodinia's needle.
//
// A cell needs those left of it, above it, and left above it, so that blocks along an anti-diagonal are independent:
// one launch for each, first ever longer ones, then ever shorter ones. A block has 16 threads, half a warp, and a tile
// of 16 by 16 cells in shared memory, in which it again goes along anti-diagonals: a branch on the thread's number,
// with one more and later one fewer active lane in each step, and a barrier after each. Even the longest sequences that
// are practical do not fill a machine: a launch has as many blocks as its diagonal has tiles.
//
// usage: needleman_wunsch [length of both sequences, a multiple of 16]

#include "workload.h"

#define TILE 16
#define LETTERS 24
#define PENALTY 10

__device__ __forceinline__ int best_of(int a, int b, int c)
{
    int best = a > b ? a : b;
    return best > c ? best : c;
}

// One tile; `cells` has a row and a column more than the sequences have letters.
__device__ __forceinline__ void align_tile(const int *scores, int *cells, int columns, int tile_x, int tile_y)
{
    __shared__ int cell[TILE + 1][TILE + 1];
    __shared__ int score[TILE][TILE];
    int lane = threadIdx.x;
    // Where the tile's first inner cell is, and what lies around it.
    int corner = columns * TILE * tile_y + TILE * tile_x;
    int inner = corner + columns + 1 + lane, above = corner + 1 + lane, left = corner + columns;

    if (lane == 0)
        cell[0][0] = cells[corner];
    for (int row = 0; row < TILE; row++)
        score[row][lane] = scores[inner + columns * row];
    __syncthreads();
    cell[lane + 1][0] = cells[left + columns * lane];
    __syncthreads();
    cell[0][lane + 1] = cells[above];
    __syncthreads();

    for (int step = 0; step < TILE; step++) {
        if (lane <= step) {
            int x = lane + 1, y = step - lane + 1;
            cell[y][x] = best_of(cell[y - 1][x - 1] + score[y - 1][x - 1], cell[y][x - 1] - PENALTY,
                                 cell[y - 1][x] - PENALTY);
        }
        __syncthreads();
    }
    for (int step = TILE - 2; step >= 0; step--) {
        if (lane <= step) {
            int x = lane + TILE - step, y = TILE - lane;
            cell[y][x] = best_of(cell[y - 1][x - 1] + score[y - 1][x - 1], cell[y][x - 1] - PENALTY,
                                 cell[y - 1][x] - PENALTY);
        }
        __syncthreads();
    }
    for (int row = 0; row < TILE; row++)
        cells[inner + columns * row] = cell[row + 1][lane + 1];
}

// Anti-diagonals of the upper left half: `diagonal` tiles.
__global__ void upper_left(const int *scores, int *cells, int columns, int diagonal)
{
    align_tile(scores, cells, columns, blockIdx.x, diagonal - 1 - blockIdx.x);
}

// Those of the lower right half.
__global__ void lower_right(const int *scores, int *cells, int columns, int diagonal, int tiles)
{
    align_tile(scores, cells, columns, blockIdx.x + tiles - diagonal, tiles - blockIdx.x - 1);
}

int main(int argc, char **argv)
{
    int length = argument(argc, argv, 1, 128);
    if (length % TILE) {
        printf("the length must be a multiple of %d\n", TILE);
        return 2;
    }
    int columns = length + 1, size = columns * columns, tiles = length / TILE;
    // How alike two letters are: from -4 to 11, most on the diagonal, as in the matrices that biologists use.
    int alike[LETTERS][LETTERS];
    for (int a = 0; a < LETTERS; a++)
        for (int b = 0; b <= a; b++)
            alike[a][b] = alike[b][a] = a == b ? 4 + (int)random_below(8) : (int)random_below(7) - 4;
    int *first = (int *)malloc(length * sizeof(int)), *second = (int *)malloc(length * sizeof(int));
    for (int i = 0; i < length; i++) {
        first[i] = random_below(LETTERS);
        second[i] = random_below(LETTERS);
    }
    int *scores = (int *)calloc(size, sizeof(int)), *cells = (int *)calloc(size, sizeof(int));
    for (int row = 0; row < length; row++) {
        int *scores_of_row = scores + (row + 1) * columns + 1, *alike_row = alike[first[row]];
        for (int column = 0; column < length; column++)
            scores_of_row[column] = alike_row[second[column]];
    }
    for (int i = 1; i <= length; i++)
        cells[i] = cells[i * columns] = -i * PENALTY;

    int *scores_there = to_device(scores, size), *cells_there = to_device(cells, size);
    for (int diagonal = 1; diagonal <= tiles; diagonal++)
        upper_left<<<diagonal, TILE>>>(scores_there, cells_there, columns, diagonal);
    for (int diagonal = tiles - 1; diagonal >= 1; diagonal--)
        lower_right<<<diagonal, TILE>>>(scores_there, cells_there, columns, diagonal, tiles);
    CHECK(cudaDeviceSynchronize());
    int *found = to_host(cells_there, size);

    // Every cell follows from its neighbours; where there are many, a sample of rows and all of the last.
    int every = length <= 256 ? 1 : length / 64;
    for (int row = length; row >= 1; row -= every)
        for (int column = 1; column <= length; column++) {
            int at = row * columns + column;
            int expected = found[at - columns - 1] + alike[first[row - 1]][second[column - 1]];
            if (found[at - 1] - PENALTY > expected)
                expected = found[at - 1] - PENALTY;
            if (found[at - columns] - PENALTY > expected)
                expected = found[at - columns] - PENALTY;
            expect_int("cell", at, expected, found[at]);
        }
    for (int i = 0; i <= length; i++) {
        expect_int("border, column", i, -i * PENALTY, found[i]);
        expect_int("border, row", i, -i * PENALTY, found[i * columns]);
    }
    CHECK(cudaFree(scores_there));
    CHECK(cudaFree(cells_there));
    return verdict("needleman_wunsch");
}
