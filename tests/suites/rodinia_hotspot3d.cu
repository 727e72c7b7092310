// suite: rodinia
// includes: cuda/hotspot3D
// unchanged
#include "driver.h"
#define main their_main
#include "3D.cu"
#undef main

// A step of heat in a stack of layers, against the host.
int main()
{
    const int nx = 64, ny = 8, nz = 5, all = nx * ny * nz;
    const float e = 0.03f, n = 0.02f, t = 0.01f, c = 1 - (2 * e + 2 * n + 3 * t), sdc = 0.5f;
    static float power[all], in[all], out[all];
    srand(23);
    for (int i = 0; i < all; i++) {
        power[i] = rand() % 100 / 100.0f;
        in[i] = 300 + rand() % 100;
    }
    float *power_d, *in_d, *out_d;
    cudaMalloc(&power_d, sizeof power);
    cudaMalloc(&in_d, sizeof in);
    cudaMalloc(&out_d, sizeof out);
    cudaMemcpy(power_d, power, sizeof power, cudaMemcpyHostToDevice);
    cudaMemcpy(in_d, in, sizeof in, cudaMemcpyHostToDevice);
    hotspotOpt1<<<dim3(nx / 64, ny / 4), dim3(64, 4)>>>(power_d, in_d, out_d, sdc, nx, ny, nz, e, e, n, n, t, t, c);
    cudaMemcpy(out, out_d, sizeof out, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                int at = i + nx * (j + ny * k);
                double v = in[at], sum = c * v + sdc * power[at] + t * 80.0;
                sum += e * (i > 0 ? in[at - 1] : v) + e * (i < nx - 1 ? in[at + 1] : v);
                sum += n * (j > 0 ? in[at - nx] : v) + n * (j < ny - 1 ? in[at + nx] : v);
                sum += t * (k > 0 ? in[at - nx * ny] : v) + t * (k < nz - 1 ? in[at + nx * ny] : v);
                wrong += !(fabs(out[at] - sum) < 1e-3);
            }
    return verdict(wrong, "values");
}

// out: PASS
