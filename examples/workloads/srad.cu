// srad: speckle-reducing anisotropic diffusion of an ultrasound image, as Rodinia's first version: extraction (exp),
// then in each iteration the sums of all pixels and their squares by a reduction, the diffusion coefficients (`srad`)
// and the update (`srad2`), at the end compression (log). Pixels are numbered down the columns; tables name each row's
// and column's neighbours, so that edges need no branch.
//
// Measured by: dissertation chapters 5 (Table 5.4, SRAD: 8.5 G instructions, 3.88 sectors of a line used) and 6 (Table
// 6.2: 2.4 G).
// Also in the suite of the paper on intra-warp compaction (Table 1: SRD).
// Characteristic: lines of 512 threads, one a pixel; the loads of neighbours above and below are the same lines,
// those to the sides are a column away and are reused by another block. A reduction whose active threads lie apart.
//
// usage: srad [rows [columns [iterations]]]

#include "workload.h"

const int BLOCK = 512;
const float LAMBDA = 0.5f;

struct neighbours {
    int *north, *south, *west, *east;
};

struct directions {
    float *north, *south, *west, *east;
};

__global__ void extract(float *image, int count)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < count)
        image[i] = expf(image[i] / 255);
}

__global__ void prepare(const float *image, float *sums, float *squares, int count)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < count) {
        sums[i] = image[i];
        squares[i] = image[i] * image[i];
    }
}

// Adds up BLOCK numbers a block, of which those of the last launch lie `apart` from each other.
__global__ void reduce(float *sums, float *squares, int count, int apart)
{
    __shared__ float part[BLOCK], part2[BLOCK];
    int thread = threadIdx.x, i = blockIdx.x * BLOCK + thread;
    part[thread] = i < count ? sums[i * apart] : 0;
    part2[thread] = i < count ? squares[i * apart] : 0;
    __syncthreads();
    for (int step = 2; step <= BLOCK; step *= 2) {
        if ((thread + 1) % step == 0) {
            part[thread] += part[thread - step / 2];
            part2[thread] += part2[thread - step / 2];
        }
        __syncthreads();
    }
    if (thread == BLOCK - 1) {
        sums[blockIdx.x * apart * BLOCK] = part[thread];
        squares[blockIdx.x * apart * BLOCK] = part2[thread];
    }
}

__device__ void place(int i, int rows, int *row, int *column)
{
    *row = (i + 1) % rows - 1;
    *column = (i + 1) / rows;
    if ((i + 1) % rows == 0) {
        *row = rows - 1;
        *column -= 1;
    }
}

// Directional derivatives and the diffusion coefficient.
__global__ void srad(const float *image, directions d, float *coefficient, neighbours at, int rows, int count, float q0)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, row, column;
    place(i, rows, &row, &column);
    if (i >= count)
        return;
    float here = image[i];
    float north = image[at.north[row] + rows * column] - here, south = image[at.south[row] + rows * column] - here;
    float west = image[row + rows * at.west[column]] - here, east = image[row + rows * at.east[column]] - here;
    float gradient = (north * north + south * south + west * west + east * east) / (here * here);
    float laplacian = (north + south + west + east) / here;
    float numerator = 0.5f * gradient - 0.0625f * (laplacian * laplacian);
    float denominator = 1 + 0.25f * laplacian;
    float q = numerator / (denominator * denominator);
    denominator = (q - q0) / (q0 * (1 + q0));
    float c = 1 / (1 + denominator);
    if (c < 0)
        c = 0;
    else if (c > 1)
        c = 1;
    d.north[i] = north;
    d.south[i] = south;
    d.west[i] = west;
    d.east[i] = east;
    coefficient[i] = c;
}

// Divergence, and the new pixel.
__global__ void srad2(float *image, directions d, const float *coefficient, neighbours at, int rows, int count)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, row, column;
    place(i, rows, &row, &column);
    if (i >= count)
        return;
    float north = coefficient[i], south = coefficient[at.south[row] + rows * column];
    float west = coefficient[i], east = coefficient[row + rows * at.east[column]];
    float divergence = north * d.north[i] + south * d.south[i] + west * d.west[i] + east * d.east[i];
    image[i] = image[i] + 0.25f * LAMBDA * divergence;
}

__global__ void compress(float *image, int count)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < count)
        image[i] = logf(image[i]) * 255;
}

// The squared coefficient of variation of the whole image, by launches that each leave one number a block.
float variation(const float *image, float *sums, float *squares, int count)
{
    int left = count, apart = 1;
    float sum, square;
    prepare<<<(count + BLOCK - 1) / BLOCK, BLOCK>>>(image, sums, squares, count);
    while (left > 1) {
        int blocks = (left + BLOCK - 1) / BLOCK;
        reduce<<<blocks, BLOCK>>>(sums, squares, left, apart);
        left = blocks;
        apart *= BLOCK;
    }
    CHECK(cudaMemcpy(&sum, sums, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&square, squares, sizeof(float), cudaMemcpyDeviceToHost));
    double mean = (double)sum / count, variance = (double)square / count - mean * mean;
    return variance / (mean * mean);
}

int clamp(int value, int limit)
{
    return value < 0 ? 0 : value >= limit ? limit - 1 : value;
}

// The coefficient of a pixel in double precision, from the image before.
double host_coefficient(const float *image, int rows, int columns, int row, int column, double q0)
{
    double here = image[column * rows + row], square = 0, sum = 0;
    const int by[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (int k = 0; k < 4; k++) {
        int r = clamp(row + by[k][0], rows), c = clamp(column + by[k][1], columns);
        double difference = image[c * rows + r] - here;
        square += difference * difference;
        sum += difference;
    }
    double laplacian = sum / here, spread = 1 + laplacian / 4;
    double q = (square / (here * here) / 2 - laplacian * laplacian / 16) / (spread * spread);
    double c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

// A pixel after one iteration.
double host_pixel(const float *image, int rows, int columns, int i, double q0)
{
    int row = i % rows, column = i / rows, below = clamp(row + 1, rows), right = clamp(column + 1, columns);
    double here = image[i], own = host_coefficient(image, rows, columns, row, column, q0);
    double divergence =
        own * (image[column * rows + clamp(row - 1, rows)] - here)
        + own * (image[clamp(column - 1, columns) * rows + row] - here)
        + host_coefficient(image, rows, columns, below, column, q0) * (image[column * rows + below] - here)
        + host_coefficient(image, rows, columns, row, right, q0) * (image[right * rows + row] - here);
    return here + 0.25 * LAMBDA * divergence;
}

// Neighbours of each place along an edge: one less or one more, but not beyond.
int *shifted(int count, int by)
{
    int *table = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        table[i] = clamp(i + by, count);
    int *device = to_device(table, count);
    free(table);
    return device;
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 128), columns = argument(argc, argv, 2, 128);
    int iterations = argument(argc, argv, 3, 1), count = rows * columns, blocks = (count + BLOCK - 1) / BLOCK;
    float *image = (float *)malloc(count * sizeof(float));
    // A bright disc on a dark ground, with speckle.
    for (int i = 0; i < count; i++) {
        int y = i % rows - rows / 2, x = i / rows - columns / 2;
        image[i] = (x * x + y * y < count / 16 ? 160 : 60) * (0.6f + 0.8f * random_unit());
    }
    float *d_image = to_device(image, count), *d_coefficient = device_zeros<float>(count);
    float *d_sums = device_zeros<float>(count), *d_squares = device_zeros<float>(count);
    directions d = {device_zeros<float>(count), device_zeros<float>(count), device_zeros<float>(count),
                    device_zeros<float>(count)};
    neighbours at = {shifted(rows, -1), shifted(rows, 1), shifted(columns, -1), shifted(columns, 1)};

    float *before = NULL, q0 = 1;
    extract<<<blocks, BLOCK>>>(d_image, count);
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration == iterations - 1)
            before = to_host(d_image, count);
        q0 = variation(d_image, d_sums, d_squares, count);
        srad<<<blocks, BLOCK>>>(d_image, d, d_coefficient, at, rows, count, q0);
        srad2<<<blocks, BLOCK>>>(d_image, d, d_coefficient, at, rows, count);
    }
    compress<<<blocks, BLOCK>>>(d_image, count);
    printf("srad: %d x %d pixels, %d iterations\n", rows, columns, iterations);

    // The sums, and of the last iteration some of the pixels.
    float *found = to_host(d_image, count);
    double sum = 0, square = 0;
    for (int i = 0; i < count; i++) {
        sum += before[i];
        square += (double)before[i] * before[i];
    }
    double mean = sum / count;
    expect_float("variation", 0, (square / count - mean * mean) / (mean * mean), q0, 1e-3);
    int step = count / 4000 + 1;
    for (int i = 0; i < count; i += step)
        expect_float("pixel", i, log(host_pixel(before, rows, columns, i, q0)) * 255, found[i], 1e-3);
    // Before the first iteration the image is what extraction leaves.
    if (iterations == 1)
        for (int i = 0; i < count; i += step)
            expect_float("extracted pixel", i, exp(image[i] / 255.0), before[i], 1e-5);
    return verdict("srad");
}
