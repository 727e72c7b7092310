// suite: rodinia
// includes: cuda/srad/srad_v1
// unchanged
#include "driver.h"
#define main their_main
#include "main.cu"
#undef main

// A step of despeckling with the sums of the image, against the host.
int main()
{
    const int rows = 100, cols = 37, all = rows * cols, blocks = (all + NUMBER_THREADS - 1) / NUMBER_THREADS;
    const float rate = 0.5f;
    static float start[all], image[all], result[all], gold[all], c[all], dn[all], ds[all], de[all], dw[all];
    static int north[rows], south[rows], east[cols], west[cols];
    srand(21);
    for (int i = 0; i < all; i++)
        start[i] = rand() % 256;
    for (int i = 0; i < rows; i++) {
        north[i] = i > 0 ? i - 1 : 0;
        south[i] = i < rows - 1 ? i + 1 : i;
    }
    for (int i = 0; i < cols; i++) {
        west[i] = i > 0 ? i - 1 : 0;
        east[i] = i < cols - 1 ? i + 1 : i;
    }
    float *image_d, *sums_d, *squares_d, *c_d, *dn_d, *ds_d, *de_d, *dw_d;
    int *north_d, *south_d, *east_d, *west_d;
    cudaMalloc(&image_d, sizeof image);
    cudaMalloc(&sums_d, sizeof image);
    cudaMalloc(&squares_d, sizeof image);
    cudaMalloc(&c_d, sizeof image);
    cudaMalloc(&dn_d, sizeof image);
    cudaMalloc(&ds_d, sizeof image);
    cudaMalloc(&de_d, sizeof image);
    cudaMalloc(&dw_d, sizeof image);
    cudaMalloc(&north_d, sizeof north);
    cudaMalloc(&south_d, sizeof south);
    cudaMalloc(&east_d, sizeof east);
    cudaMalloc(&west_d, sizeof west);
    cudaMemcpy(image_d, start, sizeof image, cudaMemcpyHostToDevice);
    cudaMemcpy(north_d, north, sizeof north, cudaMemcpyHostToDevice);
    cudaMemcpy(south_d, south, sizeof south, cudaMemcpyHostToDevice);
    cudaMemcpy(east_d, east, sizeof east, cudaMemcpyHostToDevice);
    cudaMemcpy(west_d, west, sizeof west, cudaMemcpyHostToDevice);

    extract<<<blocks, NUMBER_THREADS>>>(all, image_d);
    cudaMemcpy(image, image_d, sizeof image, cudaMemcpyDeviceToHost);
    prepare<<<blocks, NUMBER_THREADS>>>(all, image_d, sums_d, squares_d);
    for (int count = all, step = 1; count > 1; step *= NUMBER_THREADS) {
        int now = (count + NUMBER_THREADS - 1) / NUMBER_THREADS;
        reduce<<<now, NUMBER_THREADS>>>(all, count, step, sums_d, squares_d);
        count = now;
    }
    float sum, squares;
    cudaMemcpy(&sum, sums_d, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(&squares, squares_d, sizeof squares, cudaMemcpyDeviceToHost);
    int wrong = 0;
    double sum_gold = 0, squares_gold = 0;
    for (int i = 0; i < all; i++) {
        wrong += !(fabs(image[i] - exp(start[i] / 255.0)) < 1e-5 * image[i]);
        sum_gold += image[i];
        squares_gold += image[i] * image[i];
    }
    wrong += !(fabs(sum - sum_gold) < 1e-4 * sum_gold) + !(fabs(squares - squares_gold) < 1e-4 * squares_gold);
    double mean = sum_gold / all;
    float q0 = (squares_gold / all - mean * mean) / (mean * mean);

    srad<<<blocks, NUMBER_THREADS>>>(rate, rows, cols, all, north_d, south_d, east_d, west_d, dn_d, ds_d, de_d, dw_d,
        q0, c_d, image_d);
    srad2<<<blocks, NUMBER_THREADS>>>(rate, rows, cols, all, north_d, south_d, east_d, west_d, dn_d, ds_d, de_d, dw_d,
        c_d, image_d);
    compress<<<blocks, NUMBER_THREADS>>>(all, image_d);
    cudaMemcpy(result, image_d, sizeof image, cudaMemcpyDeviceToHost);
    for (int y = 0; y < cols; y++)
        for (int x = 0; x < rows; x++) {
            int k = y * rows + x;
            float j = image[k];
            dn[k] = image[y * rows + north[x]] - j;
            ds[k] = image[y * rows + south[x]] - j;
            dw[k] = image[west[y] * rows + x] - j;
            de[k] = image[east[y] * rows + x] - j;
            double g2 = (dn[k] * dn[k] + ds[k] * ds[k] + dw[k] * dw[k] + de[k] * de[k]) / (j * j);
            double l = (dn[k] + ds[k] + dw[k] + de[k]) / j, den = 1 + 0.25 * l;
            double value = 1 / (1 + ((0.5 * g2 - l * l / 16) / (den * den) - q0) / (q0 * (1 + q0)));
            c[k] = value < 0 ? 0 : value > 1 ? 1 : value;
        }
    for (int y = 0; y < cols; y++)
        for (int x = 0; x < rows; x++) {
            int k = y * rows + x;
            double d = c[k] * dn[k] + c[y * rows + south[x]] * ds[k] + c[k] * dw[k] + c[east[y] * rows + x] * de[k];
            gold[k] = log(image[k] + 0.25 * rate * d) * 255;
            wrong += !(fabsf(result[k] - gold[k]) < 0.05f);
        }
    return verdict(wrong, "values");
}

// out: PASS
