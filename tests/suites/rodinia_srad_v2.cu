// suite: rodinia
// includes: cuda/srad/srad_v2
// unchanged
#include "driver.h"
#define main their_main
#include "srad.cu"
#undef main

// A step of despeckling, against the host. The kernels read (without use) a row in front of the
// image and behind it, so the image and the coefficients lie inside larger allocations.
int main()
{
    const int n = 48, all = n * n;
    const float lambda = 0.5f, q0sqr = 0.05f;
    static float image[all], result[all], gold[all], c[all], dn[all], ds[all], dw[all], de[all];
    srand(13);
    for (int i = 0; i < all; i++)
        image[i] = expf(rand() % 256 / 255.0f);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int k = y * n + x;
            float j = image[k];
            dn[k] = image[(y > 0 ? y - 1 : 0) * n + x] - j;
            ds[k] = image[(y < n - 1 ? y + 1 : y) * n + x] - j;
            dw[k] = image[y * n + (x > 0 ? x - 1 : 0)] - j;
            de[k] = image[y * n + (x < n - 1 ? x + 1 : x)] - j;
            double g2 = (dn[k] * dn[k] + ds[k] * ds[k] + dw[k] * dw[k] + de[k] * de[k]) / (j * j);
            double l = (dn[k] + ds[k] + dw[k] + de[k]) / j;
            double den = 1 + 0.25 * l, q = (0.5 * g2 - l * l / 16) / (den * den);
            double value = 1 / (1 + (q - q0sqr) / (q0sqr * (1 + q0sqr)));
            c[k] = value < 0 ? 0 : value > 1 ? 1 : value;
        }
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int k = y * n + x;
            double sum = c[k] * dn[k] + c[(y < n - 1 ? y + 1 : y) * n + x] * ds[k] + c[k] * dw[k]
                + c[y * n + (x < n - 1 ? x + 1 : x)] * de[k];
            gold[k] = image[k] + 0.25 * lambda * sum;
        }
    float *image_d, *c_d, *e_d, *w_d, *n_d, *s_d;
    cudaMalloc(&image_d, 3 * sizeof image);
    cudaMalloc(&c_d, 3 * sizeof image);
    image_d += all;
    c_d += all;
    cudaMalloc(&e_d, sizeof image);
    cudaMalloc(&w_d, sizeof image);
    cudaMalloc(&n_d, sizeof image);
    cudaMalloc(&s_d, sizeof image);
    cudaMemcpy(image_d, image, sizeof image, cudaMemcpyHostToDevice);
    dim3 grid(n / BLOCK_SIZE, n / BLOCK_SIZE), block(BLOCK_SIZE, BLOCK_SIZE);
    srad_cuda_1<<<grid, block>>>(e_d, w_d, n_d, s_d, image_d, c_d, n, n, q0sqr);
    srad_cuda_2<<<grid, block>>>(e_d, w_d, n_d, s_d, image_d, c_d, n, n, lambda, q0sqr);
    cudaMemcpy(result, image_d, sizeof image, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int k = 0; k < all; k++)
        wrong += !(fabsf(result[k] - gold[k]) <= 1e-4f * fabsf(gold[k]));
    return verdict(wrong, "values");
}

// out: PASS
