// tridiagonal: tridiagonal systems by cyclic reduction in shared memory, a system for each block.
//
// Measured in BCC ("Trd" in Table 1, a coherent kernel). Modelled on the cyclic reduction of Zhang, Cohen and Owens.
//
// Characteristic: the active threads halve at each step down and double at each step up, `thread < active`, by thread
// number alone; strides in shared memory double, with the bank conflicts that this brings. A barrier a step.
//
// usage: tridiagonal [systems]

#include "workload.h"

#define ROWS 512
#define THREADS (ROWS / 2)

__global__ void cyclic_reduction(const float *lower, const float *diagonal, const float *upper, const float *right,
                                 float *solution)
{
    __shared__ float a[ROWS], b[ROWS], c[ROWS], d[ROWS], x[ROWS];
    int thread = threadIdx.x, base = blockIdx.x * ROWS;
    for (int i = thread; i < ROWS; i += THREADS) {
        a[i] = lower[base + i];
        b[i] = diagonal[base + i];
        c[i] = upper[base + i];
        d[i] = right[base + i];
    }
    int stride = 1, active = THREADS;
    // Down: every second equation loses its neighbours.
    for (; active > 1; active >>= 1) {
        __syncthreads();
        if (thread < active) {
            int i = 2 * stride * (thread + 1) - 1, left = i - stride, next = min(i + stride, ROWS - 1);
            float k1 = a[i] / b[left], k2 = next == i ? 0 : c[i] / b[next];
            b[i] = b[i] - c[left] * k1 - a[next] * k2;
            d[i] = d[i] - d[left] * k1 - d[next] * k2;
            a[i] = -a[left] * k1;
            c[i] = -c[next] * k2;
        }
        stride *= 2;
    }
    __syncthreads();
    // Two equations are left.
    if (thread == 0) {
        int first = stride - 1, second = 2 * stride - 1;
        float determinant = b[second] * b[first] - c[first] * a[second];
        x[first] = (b[second] * d[first] - c[first] * d[second]) / determinant;
        x[second] = (d[second] * b[first] - d[first] * a[second]) / determinant;
    }
    // Up: the others follow.
    for (active = 2; active <= THREADS; active *= 2) {
        stride >>= 1;
        __syncthreads();
        if (thread < active) {
            int i = 2 * stride * thread + stride - 1;
            float before = i < stride ? 0 : a[i] * x[i - stride];
            x[i] = (d[i] - before - c[i] * x[i + stride]) / b[i];
        }
    }
    __syncthreads();
    for (int i = thread; i < ROWS; i += THREADS)
        solution[base + i] = x[i];
}

int main(int argc, char **argv)
{
    int systems = argument(argc, argv, 1, 2), count = systems * ROWS;
    float *a = (float *)malloc(count * sizeof(float)), *b = (float *)malloc(count * sizeof(float));
    float *c = (float *)malloc(count * sizeof(float)), *d = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++) {
        a[i] = i % ROWS ? random_unit() : 0;
        c[i] = i % ROWS != ROWS - 1 ? random_unit() : 0;
        b[i] = 2.5f + random_unit();
        d[i] = random_unit();
    }
    float *solution = device_zeros<float>(count);
    cyclic_reduction<<<systems, THREADS>>>(to_device(a, count), to_device(b, count), to_device(c, count),
                                           to_device(d, count), solution);
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(solution, count);
    // The host eliminates row by row, in some of the systems.
    int step = 1 + systems / 16;
    for (int system = 0; system < systems; system += step) {
        double factor[ROWS], value[ROWS], last = 0;
        for (int k = 0; k < ROWS; k++) {
            int i = system * ROWS + k;
            double pivot = b[i] - (k ? a[i] * factor[k - 1] : 0);
            factor[k] = c[i] / pivot;
            value[k] = (d[i] - (k ? a[i] * value[k - 1] : 0)) / pivot;
        }
        for (int k = ROWS - 1; k >= 0; k--) {
            last = value[k] - factor[k] * last;
            expect_float("unknown", system * ROWS + k, last, found[system * ROWS + k], 1e-4);
        }
    }
    return verdict("tridiagonal");
}
