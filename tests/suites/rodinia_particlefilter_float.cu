// suite: rodinia
// includes: cuda/particlefilter
// unchanged
#include "driver.h"
#define main their_main
#include "ex_particle_CUDA_float_seq.cu"
#undef main

// The host's numbers from the suite's generator.
double uniform(int *s)
{
    int next = 1103515245 * *s + 12345;
    *s = next % 2147483647;
    return fabs(*s / 2147483647.0);
}

double normal(int *s)
{
    double u = uniform(s), v = uniform(s);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

// A frame of a particle filter: likelihoods, their sum, the normalised weights, resampling. Of more than
// one block, the first would read weights that the others have not normalised yet.
int main()
{
    const int n = 500, size = 32, frames = 3, k = 1, ones = 5, all = size * size * frames;
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    static double x[n], y[n], xj[n], yj[n], weights[n], sums[n], values[n], likelihood[n], partial[n];
    static double gx[n], gy[n], gw[n], gsums[n], back[n];
    static int seeds[n], around[2 * ones] = {0, 0, 1, 0, -1, 0, 0, 1, 0, -1};
    static unsigned char image[all];
    srand(15);
    for (int i = 0; i < all; i++)
        image[i] = 100 + rand() % 128;
    for (int i = 0; i < n; i++) {
        seeds[i] = 12345 * (i + 1);
        xj[i] = yj[i] = size / 2;
    }
    double *x_d, *y_d, *xj_d, *yj_d, *sums_d, *likelihood_d, *values_d, *weights_d, *partial_d;
    int *ind_d, *around_d, *seeds_d;
    unsigned char *image_d;
    cudaMalloc(&x_d, sizeof x);
    cudaMalloc(&y_d, sizeof x);
    cudaMalloc(&xj_d, sizeof x);
    cudaMalloc(&yj_d, sizeof x);
    cudaMalloc(&sums_d, sizeof x);
    cudaMalloc(&likelihood_d, sizeof x);
    cudaMalloc(&values_d, sizeof x);
    cudaMalloc(&weights_d, sizeof x);
    cudaMalloc(&partial_d, sizeof x);
    cudaMalloc(&ind_d, n * ones * sizeof(int));
    cudaMalloc(&around_d, sizeof around);
    cudaMalloc(&seeds_d, sizeof seeds);
    cudaMalloc(&image_d, sizeof image);
    cudaMemcpy(xj_d, xj, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(yj_d, yj, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(around_d, around, sizeof around, cudaMemcpyHostToDevice);
    cudaMemcpy(seeds_d, seeds, sizeof seeds, cudaMemcpyHostToDevice);
    cudaMemcpy(image_d, image, sizeof image, cudaMemcpyHostToDevice);
    likelihood_kernel<<<blocks, threads_per_block>>>(x_d, y_d, xj_d, yj_d, sums_d, ind_d, around_d, likelihood_d,
        image_d, values_d, weights_d, n, ones, all, k, size, frames, seeds_d, partial_d);
    sum_kernel<<<blocks, threads_per_block>>>(partial_d, n);
    normalize_weights_kernel<<<blocks, threads_per_block>>>(weights_d, n, partial_d, sums_d, values_d, seeds_d);
    cudaMemcpy(x, x_d, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(y, y_d, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(likelihood, likelihood_d, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(weights, weights_d, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, sums_d, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(values, values_d, sizeof x, cudaMemcpyDeviceToHost);
    int wrong = 0;
    double total = 0;
    for (int i = 0; i < n; i++) {
        gx[i] = xj[i] + 1 + 5 * normal(&seeds[i]);
        gy[i] = yj[i] - 2 + 2 * normal(&seeds[i]);
        double sum = 0;
        for (int j = 0; j < ones; j++) {
            int at = abs(((int)gx[i] + around[2 * j + 1]) * size * frames + ((int)gy[i] + around[2 * j]) * frames + k);
            double grey = image[at >= all ? 0 : at];
            sum += ((grey - 100) * (grey - 100) - (grey - 228) * (grey - 228)) / 50;
        }
        wrong += !(fabs(x[i] - gx[i]) < 1e-9) + !(fabs(y[i] - gy[i]) < 1e-9);
        wrong += !(fabs(likelihood[i] - sum / ones) < 1e-9 * (1 + fabs(sum)));
        gw[i] = exp(sum / ones) / n;
        total += gw[i];
    }
    for (int i = 0; i < n; i++) {
        wrong += !(fabs(weights[i] - gw[i] / total) < 1e-9);
        gsums[i] = gw[i] / total + (i ? gsums[i - 1] : 0);
        wrong += !(fabs(sums[i] - gsums[i]) < 1e-9);
    }
    double first = uniform(&seeds[0]) / n;
    for (int i = 0; i < n; i++)
        wrong += !(fabs(values[i] - first - (double)i / n) < 1e-12);
    find_index_kernel<<<blocks, threads_per_block>>>(x_d, y_d, sums_d, values_d, xj_d, yj_d, weights_d, n);
    cudaMemcpy(back, xj_d, sizeof x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        int at = 0;
        while (at < n - 1 && sums[at] < values[i])
            at++;
        wrong += back[i] != x[at];
    }
    return verdict(wrong, "values");
}

// out: PASS
