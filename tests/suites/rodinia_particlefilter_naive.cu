// suite: rodinia
// includes: cuda/particlefilter
// unchanged
#include "driver.h"
#define main their_main
#include "ex_particle_CUDA_naive_seq.cu"
#undef main

// Where values lie among sums that go up, against a search on the host.
int main()
{
    const int n = 1000;
    static double x[n], y[n], sums[n], values[n], xj[n], yj[n];
    srand(14);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = -i;
        sum += rand() % 4;
        sums[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        sums[i] /= sum;
        values[i] = i < 990 ? (i + 0.5) / n : i == 995 ? 2 : 0;
    }
    double *x_d, *y_d, *sums_d, *values_d, *xj_d, *yj_d;
    cudaMalloc(&x_d, sizeof x);
    cudaMalloc(&y_d, sizeof x);
    cudaMalloc(&sums_d, sizeof x);
    cudaMalloc(&values_d, sizeof x);
    cudaMalloc(&xj_d, sizeof x);
    cudaMalloc(&yj_d, sizeof x);
    cudaMemcpy(x_d, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(y_d, y, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(sums_d, sums, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(values_d, values, sizeof x, cudaMemcpyHostToDevice);
    kernel<<<(n + 127) / 128, 128>>>(x_d, y_d, sums_d, values_d, xj_d, yj_d, n);
    cudaMemcpy(xj, xj_d, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(yj, yj_d, sizeof x, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        int low = 0, high = n;
        while (low < high) {
            int middle = (low + high) / 2;
            if (sums[middle] >= values[i])
                high = middle;
            else
                low = middle + 1;
        }
        int gold = low < n ? low : n - 1;
        wrong += xj[i] != gold || yj[i] != -gold;
    }
    return verdict(wrong, "places");
}

// out: PASS
