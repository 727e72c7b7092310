// lud: LU decomposition of a dense matrix in blocks of 16 by 16, in place, without pivoting.
// Measured in chapter 3 of the dissertation (Table 3.2, Figure 3.7), in chapter 6 (Table 6.2), and in the paper on the
// affine vector cache. Modelled on Rodinia's LUD.
//
// Three kernels for each step along the diagonal:
// - `diagonal`: one block of 16 threads (half a warp) factors a block; a branch on the thread's number in each step.
// - `perimeter`: a block of 32 threads, one warp, has a block of the row and one of the column at once. Lanes 0 to 15
//   take one path of a branch, lanes 16 to 31 the other; both paths are long, with loops and shared memory.
// - `internal`: 16 by 16 threads multiply a column's and a row's block; no branches.
//
// usage: lud [order of the matrix, a multiple of 16]

#include "workload.h"

#define BLOCK 16

__global__ void diagonal(float *matrix, int order, int offset)
{
    __shared__ float tile[BLOCK][BLOCK];
    int lane = threadIdx.x;
    int at = offset * order + offset;
    for (int i = 0; i < BLOCK; i++) {
        tile[i][lane] = matrix[at + lane];
        at += order;
    }
    __syncthreads();
    for (int i = 0; i < BLOCK - 1; i++) {
        // Column i of L: a thread has a row.
        if (lane > i) {
            for (int j = 0; j < i; j++)
                tile[lane][i] -= tile[lane][j] * tile[j][i];
            tile[lane][i] /= tile[i][i];
        }
        __syncthreads();
        // Row i + 1 of U: a thread has a column.
        if (lane > i) {
            for (int j = 0; j < i + 1; j++)
                tile[i + 1][lane] -= tile[i + 1][j] * tile[j][lane];
        }
        __syncthreads();
    }
    // The first row has not changed.
    at = (offset + 1) * order + offset;
    for (int i = 1; i < BLOCK; i++) {
        matrix[at + lane] = tile[i][lane];
        at += order;
    }
}

__global__ void perimeter(float *matrix, int order, int offset)
{
    __shared__ float corner[BLOCK][BLOCK];
    __shared__ float row[BLOCK][BLOCK];
    __shared__ float column[BLOCK][BLOCK];
    int lane, at;

    // Each half loads half of the corner, and then one of the two blocks.
    if (threadIdx.x < BLOCK) {
        lane = threadIdx.x;
        at = offset * order + offset;
        for (int i = 0; i < BLOCK / 2; i++) {
            corner[i][lane] = matrix[at + lane];
            at += order;
        }
        at = offset * order + offset;
        for (int i = 0; i < BLOCK; i++) {
            row[i][lane] = matrix[at + (blockIdx.x + 1) * BLOCK + lane];
            at += order;
        }
    } else {
        lane = threadIdx.x - BLOCK;
        at = (offset + BLOCK / 2) * order + offset;
        for (int i = BLOCK / 2; i < BLOCK; i++) {
            corner[i][lane] = matrix[at + lane];
            at += order;
        }
        at = (offset + (blockIdx.x + 1) * BLOCK) * order + offset;
        for (int i = 0; i < BLOCK; i++) {
            column[i][lane] = matrix[at + lane];
            at += order;
        }
    }
    __syncthreads();

    if (threadIdx.x < BLOCK) {
        lane = threadIdx.x;
        for (int i = 1; i < BLOCK; i++) {
            for (int j = 0; j < i; j++)
                row[i][lane] -= corner[i][j] * row[j][lane];
        }
    } else {
        lane = threadIdx.x - BLOCK;
        for (int i = 0; i < BLOCK; i++) {
            for (int j = 0; j < i; j++)
                column[lane][i] -= column[lane][j] * corner[j][i];
            column[lane][i] /= corner[i][i];
        }
    }
    __syncthreads();

    if (threadIdx.x < BLOCK) {
        lane = threadIdx.x;
        at = (offset + 1) * order + offset;
        for (int i = 1; i < BLOCK; i++) {
            matrix[at + (blockIdx.x + 1) * BLOCK + lane] = row[i][lane];
            at += order;
        }
    } else {
        lane = threadIdx.x - BLOCK;
        at = (offset + (blockIdx.x + 1) * BLOCK) * order + offset;
        for (int i = 0; i < BLOCK; i++) {
            matrix[at + lane] = column[i][lane];
            at += order;
        }
    }
}

__global__ void internal(float *matrix, int order, int offset)
{
    __shared__ float row[BLOCK][BLOCK];
    __shared__ float column[BLOCK][BLOCK];
    int first_row = offset + (blockIdx.y + 1) * BLOCK, first_column = offset + (blockIdx.x + 1) * BLOCK;
    row[threadIdx.y][threadIdx.x] = matrix[(offset + threadIdx.y) * order + first_column + threadIdx.x];
    column[threadIdx.y][threadIdx.x] = matrix[(first_row + threadIdx.y) * order + offset + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += column[threadIdx.y][i] * row[i][threadIdx.x];
    matrix[(first_row + threadIdx.y) * order + first_column + threadIdx.x] -= sum;
}

static void decompose(float *matrix, int order)
{
    int offset = 0;
    for (; offset < order - BLOCK; offset += BLOCK) {
        int blocks = (order - offset) / BLOCK - 1;
        diagonal<<<1, BLOCK>>>(matrix, order, offset);
        perimeter<<<blocks, 2 * BLOCK>>>(matrix, order, offset);
        internal<<<dim3(blocks, blocks), dim3(BLOCK, BLOCK)>>>(matrix, order, offset);
    }
    diagonal<<<1, BLOCK>>>(matrix, order, offset);
    CHECK(cudaDeviceSynchronize());
}

// The product of L and U at one place; L has ones on its diagonal, which are not stored.
static double product(const float *both, int order, int row, int column)
{
    double sum = row <= column ? both[row * order + column] : 0.0;
    int steps = row <= column ? row : column + 1;
    for (int i = 0; i < steps; i++)
        sum += (double)both[row * order + i] * both[i * order + column];
    return sum;
}

int main(int argc, char **argv)
{
    int order = argument(argc, argv, 1, 64);
    if (order % BLOCK) {
        printf("the order must be a multiple of %d\n", BLOCK);
        return 2;
    }
    // Values decay with the distance from the diagonal, so that no pivot is small.
    float *matrix = (float *)malloc(order * order * sizeof(float));
    float *by_distance = (float *)malloc(order * sizeof(float));
    for (int i = 0; i < order; i++)
        by_distance[i] = 10.0f * expf(-0.01f * i);
    for (int row = 0; row < order; row++)
        for (int column = 0; column < order; column++)
            matrix[row * order + column] = by_distance[row < column ? column - row : row - column];

    float *on_device = to_device(matrix, order * order);
    decompose(on_device, order);
    float *both = to_host(on_device, order * order);

    // All of a small matrix, a sample of a large one.
    int samples = order <= 64 ? order * order : 2000;
    for (int i = 0; i < samples; i++) {
        int place = order <= 64 ? i : (int)random_below(order) * order + (int)random_below(order);
        expect_float("element", place, matrix[place], product(both, order, place / order, place % order), 1e-3);
    }
    CHECK(cudaFree(on_device));
    return verdict("lud");
}
