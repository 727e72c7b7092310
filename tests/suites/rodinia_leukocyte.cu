// suite: rodinia
// includes: cuda/leukocyte/CUDA cuda/leukocyte/meschach_lib
// unchanged
#include "driver.h"
#define main their_main
#include "track_ellipse_kernel.cu"
#undef main

// The field that a cell's picture settles to, against the host. Threads of the kernel read what others
// may have written already, so only where it converges is certain: cells of two sizes run until then.
int main()
{
    const int cells = 2, most = 41 * 21, rounds = 3000;
    const float vx = 0.7f, vy = -0.3f, e = 0.5f;
    static int m[cells] = {41, 12}, n[cells] = {21, 25};
    static float picture[cells][most], field[cells][most], gold[most], next[most];
    float *picture_d[cells], *field_d[cells], **pictures_d, **fields_d;
    int *m_d, *n_d;
    srand(16);
    for (int c = 0; c < cells; c++) {
        for (int i = 0; i < m[c] * n[c]; i++)
            picture[c][i] = rand() % 100 / 100.0f;
        cudaMalloc(&picture_d[c], sizeof picture[c]);
        cudaMalloc(&field_d[c], sizeof field[c]);
        cudaMemcpy(picture_d[c], picture[c], sizeof picture[c], cudaMemcpyHostToDevice);
        cudaMemcpy(field_d[c], picture[c], sizeof picture[c], cudaMemcpyHostToDevice);
    }
    cudaMalloc(&pictures_d, sizeof picture_d);
    cudaMalloc(&fields_d, sizeof field_d);
    cudaMalloc(&m_d, sizeof m);
    cudaMalloc(&n_d, sizeof n);
    cudaMemcpy(pictures_d, picture_d, sizeof picture_d, cudaMemcpyHostToDevice);
    cudaMemcpy(fields_d, field_d, sizeof field_d, cudaMemcpyHostToDevice);
    cudaMemcpy(m_d, m, sizeof m, cudaMemcpyHostToDevice);
    cudaMemcpy(n_d, n, sizeof n, cudaMemcpyHostToDevice);
    IMGVF_kernel<<<cells, threads_per_block>>>(fields_d, pictures_d, m_d, n_d, vx, vy, e, rounds, 2e-6f);
    int wrong = 0;
    for (int c = 0; c < cells; c++) {
        cudaMemcpy(field[c], field_d[c], sizeof field[c], cudaMemcpyDeviceToHost);
        memcpy(gold, picture[c], sizeof gold);
        double change = 1;
        for (int t = 0; t < rounds && change > 1e-6; t++) {
            change = 0;
            for (int i = 0; i < m[c]; i++)
                for (int j = 0; j < n[c]; j++) {
                    int at = i * n[c] + j;
                    double sum = 0, v = gold[at];
                    for (int di = -1; di <= 1; di++)
                        for (int dj = -1; dj <= 1; dj++) {
                            int y = i + di < 0 ? 0 : i + di == m[c] ? m[c] - 1 : i + di;
                            int x = j + dj < 0 ? 0 : j + dj == n[c] ? n[c] - 1 : j + dj;
                            double d = gold[y * n[c] + x] - v;
                            sum += d * (atan(d * (vx * dj + vy * di) / e) / 3.14159 + 0.5);
                        }
                    v += 0.5 / 5 * sum;
                    v -= picture[c][at] * (v - picture[c][at]) / 5;
                    change += fabs(v - gold[at]) / (m[c] * n[c]);
                    next[at] = v;
                }
            memcpy(gold, next, sizeof gold);
        }
        for (int i = 0; i < m[c] * n[c]; i++)
            wrong += !(fabsf(field[c][i] - gold[i]) < 1e-3f);
    }
    return verdict(wrong, "values");
}

// out: PASS
