// srad2: speckle-reducing anisotropic diffusion of an image, as Rodinia's second version: `srad_cuda_1` computes
// derivatives and the diffusion coefficient, `srad_cuda_2` the update, both with 16 x 16 pixels and their neighbours'
// edges in shared memory. The variation is that of a part of the image and is computed by the host.
//
// Measured by: the affine vector cache (Table 1: SRAD 1 and 2), dissertation chapter 6 (Table 6.2, SRAD: 2.4 G
// instructions).
// Characteristic: blocks of 16 x 16, so that a warp has two half rows; whole tiles of neighbours are loaded, of which
// only the edges are used; nine cases of edges and corners that few threads of a warp take; high register pressure.
//
// usage: srad2 [size [iterations]]: size x size pixels, a multiple of 16

#include "workload.h"

const int SIDE = 16, PART = 128;
const float LAMBDA = 0.5f;

__global__ void srad_cuda_1(float *east_d, float *west_d, float *north_d, float *south_d, const float *image,
                            float *coefficient, int columns, int rows, float q0)
{
    __shared__ float tile[SIDE][SIDE], result[SIDE][SIDE];
    __shared__ float north[SIDE][SIDE], south[SIDE][SIDE], east[SIDE][SIDE], west[SIDE][SIDE];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = columns * SIDE * by + SIDE * bx + columns * ty + tx;
    int index_n = columns * SIDE * by + SIDE * bx + tx - columns;
    int index_s = columns * SIDE * by + SIDE * bx + columns * SIDE + tx;
    int index_w = columns * SIDE * by + SIDE * bx + columns * ty - 1;
    int index_e = columns * SIDE * by + SIDE * bx + columns * ty + SIDE;

    // At the image's edge a pixel is its own neighbour.
    north[ty][tx] = by == 0 ? image[SIDE * bx + tx] : image[index_n];
    if (by == gridDim.y - 1)
        south[ty][tx] = image[columns * SIDE * (gridDim.y - 1) + SIDE * bx + columns * (SIDE - 1) + tx];
    else
        south[ty][tx] = image[index_s];
    __syncthreads();
    west[ty][tx] = bx == 0 ? image[columns * SIDE * by + columns * ty] : image[index_w];
    if (bx == gridDim.x - 1)
        east[ty][tx] = image[columns * SIDE * by + SIDE * (gridDim.x - 1) + columns * ty + SIDE - 1];
    else
        east[ty][tx] = image[index_e];
    __syncthreads();
    tile[ty][tx] = image[index];
    __syncthreads();

    float here = tile[ty][tx], n, s, w, e;
    if (ty == 0 && tx == 0) {
        n = north[ty][tx] - here;
        s = tile[ty + 1][tx] - here;
        w = west[ty][tx] - here;
        e = tile[ty][tx + 1] - here;
    } else if (ty == 0 && tx == SIDE - 1) {
        n = north[ty][tx] - here;
        s = tile[ty + 1][tx] - here;
        w = tile[ty][tx - 1] - here;
        e = east[ty][tx] - here;
    } else if (ty == SIDE - 1 && tx == SIDE - 1) {
        n = tile[ty - 1][tx] - here;
        s = south[ty][tx] - here;
        w = tile[ty][tx - 1] - here;
        e = east[ty][tx] - here;
    } else if (ty == SIDE - 1 && tx == 0) {
        n = tile[ty - 1][tx] - here;
        s = south[ty][tx] - here;
        w = west[ty][tx] - here;
        e = tile[ty][tx + 1] - here;
    } else if (ty == 0) {
        n = north[ty][tx] - here;
        s = tile[ty + 1][tx] - here;
        w = tile[ty][tx - 1] - here;
        e = tile[ty][tx + 1] - here;
    } else if (tx == SIDE - 1) {
        n = tile[ty - 1][tx] - here;
        s = tile[ty + 1][tx] - here;
        w = tile[ty][tx - 1] - here;
        e = east[ty][tx] - here;
    } else if (ty == SIDE - 1) {
        n = tile[ty - 1][tx] - here;
        s = south[ty][tx] - here;
        w = tile[ty][tx - 1] - here;
        e = tile[ty][tx + 1] - here;
    } else if (tx == 0) {
        n = tile[ty - 1][tx] - here;
        s = tile[ty + 1][tx] - here;
        w = west[ty][tx] - here;
        e = tile[ty][tx + 1] - here;
    } else {
        n = tile[ty - 1][tx] - here;
        s = tile[ty + 1][tx] - here;
        w = tile[ty][tx - 1] - here;
        e = tile[ty][tx + 1] - here;
    }

    float gradient = (n * n + s * s + w * w + e * e) / (here * here);
    float laplacian = (n + s + w + e) / here;
    float numerator = 0.5f * gradient - 0.0625f * (laplacian * laplacian);
    float denominator = 1 + 0.25f * laplacian;
    float q = numerator / (denominator * denominator);
    denominator = (q - q0) / (q0 * (1 + q0));
    float c = 1 / (1 + denominator);
    if (c < 0)
        result[ty][tx] = 0;
    else if (c > 1)
        result[ty][tx] = 1;
    else
        result[ty][tx] = c;
    __syncthreads();
    coefficient[index] = result[ty][tx];
    east_d[index] = e;
    west_d[index] = w;
    south_d[index] = s;
    north_d[index] = n;
}

__global__ void srad_cuda_2(const float *east_d, const float *west_d, const float *north_d, const float *south_d,
                            float *image, const float *coefficient, int columns, int rows)
{
    __shared__ float south[SIDE][SIDE], east[SIDE][SIDE], own[SIDE][SIDE], result[SIDE][SIDE], tile[SIDE][SIDE];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = columns * SIDE * by + SIDE * bx + columns * ty + tx;
    int index_s = columns * SIDE * by + SIDE * bx + columns * SIDE + tx;
    int index_e = columns * SIDE * by + SIDE * bx + columns * ty + SIDE;

    tile[ty][tx] = image[index];
    __syncthreads();
    if (by == gridDim.y - 1)
        south[ty][tx] = coefficient[columns * SIDE * (gridDim.y - 1) + SIDE * bx + columns * (SIDE - 1) + tx];
    else
        south[ty][tx] = coefficient[index_s];
    __syncthreads();
    if (bx == gridDim.x - 1)
        east[ty][tx] = coefficient[columns * SIDE * by + SIDE * (gridDim.x - 1) + columns * ty + SIDE - 1];
    else
        east[ty][tx] = coefficient[index_e];
    __syncthreads();
    own[ty][tx] = coefficient[index];
    __syncthreads();

    float here = own[ty][tx], s, e;
    if (ty == SIDE - 1 && tx == SIDE - 1) {
        s = south[ty][tx];
        e = east[ty][tx];
    } else if (tx == SIDE - 1) {
        s = own[ty + 1][tx];
        e = east[ty][tx];
    } else if (ty == SIDE - 1) {
        s = south[ty][tx];
        e = own[ty][tx + 1];
    } else {
        s = own[ty + 1][tx];
        e = own[ty][tx + 1];
    }
    float divergence = here * north_d[index] + s * south_d[index] + here * west_d[index] + e * east_d[index];
    result[ty][tx] = tile[ty][tx] + 0.25f * LAMBDA * divergence;
    __syncthreads();
    image[index] = result[ty][tx];
}

int clamp(int value, int limit)
{
    return value < 0 ? 0 : value >= limit ? limit - 1 : value;
}

// The coefficient of a pixel in double precision, from the image before.
double host_coefficient(const float *image, int size, int row, int column, double q0)
{
    double here = image[row * size + column], square = 0, sum = 0;
    const int by[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (int k = 0; k < 4; k++) {
        double difference = image[clamp(row + by[k][0], size) * size + clamp(column + by[k][1], size)] - here;
        square += difference * difference;
        sum += difference;
    }
    double laplacian = sum / here, spread = 1 + laplacian / 4;
    double q = (square / (here * here) / 2 - laplacian * laplacian / 16) / (spread * spread);
    double c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

double host_pixel(const float *image, int size, int i, double q0)
{
    int row = i / size, column = i % size, below = clamp(row + 1, size), right = clamp(column + 1, size);
    double here = image[i], own = host_coefficient(image, size, row, column, q0);
    double divergence = own * (image[clamp(row - 1, size) * size + column] - here)
                        + own * (image[row * size + clamp(column - 1, size)] - here)
                        + host_coefficient(image, size, below, column, q0) * (image[below * size + column] - here)
                        + host_coefficient(image, size, row, right, q0) * (image[row * size + right] - here);
    return here + 0.25 * LAMBDA * divergence;
}

// The squared coefficient of variation in the image's corner.
float variation(const float *image, int size)
{
    int part = size < PART ? size : PART;
    double sum = 0, square = 0;
    for (int row = 0; row < part; row++) {
        for (int column = 0; column < part; column++) {
            double value = image[row * size + column];
            sum += value;
            square += value * value;
        }
    }
    double mean = sum / (part * part);
    return (square / (part * part) - mean * mean) / (mean * mean);
}

int main(int argc, char **argv)
{
    int size = argument(argc, argv, 1, 128), iterations = argument(argc, argv, 2, 1), count = size * size;
    if (size % SIDE != 0) {
        printf("srad2: the size must be a multiple of %d\n", SIDE);
        return 2;
    }
    float *image = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++)
        image[i] = expf(random_unit());
    float *d_image = to_device(image, count), *d_coefficient = device_zeros<float>(count);
    float *d_north = device_zeros<float>(count), *d_south = device_zeros<float>(count);
    float *d_east = device_zeros<float>(count), *d_west = device_zeros<float>(count);
    dim3 grid(size / SIDE, size / SIDE), block(SIDE, SIDE);
    float *before = image, q0 = 1;
    for (int iteration = 0; iteration < iterations; iteration++) {
        before = iteration == 0 ? image : to_host(d_image, count);
        q0 = variation(before, size);
        srad_cuda_1<<<grid, block>>>(d_east, d_west, d_north, d_south, d_image, d_coefficient, size, size, q0);
        srad_cuda_2<<<grid, block>>>(d_east, d_west, d_north, d_south, d_image, d_coefficient, size, size);
    }
    printf("srad2: %d x %d pixels, %d iterations\n", size, size, iterations);

    // Of the last iteration some of the pixels.
    float *found = to_host(d_image, count);
    int step = count / 8000 + 1;
    for (int i = 0; i < count; i += step)
        expect_float("pixel", i, host_pixel(before, size, i, q0), found[i], 1e-4);
    return verdict("srad2");
}
