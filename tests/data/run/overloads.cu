// min, max and abs of every type, on device and host.
#include <stdio.h>

__global__ void pick(int *i, unsigned *u, long long *l, float *f, double *d)
{
    int t = threadIdx.x - 4;
    unsigned v = t;
    long long w = t * 5000000000LL;
    i[0 + 6 * threadIdx.x] = min(t, 1);
    i[1 + 6 * threadIdx.x] = max(t, -2);
    i[2 + 6 * threadIdx.x] = abs(t);
    i[3 + 6 * threadIdx.x] = min(threadIdx.x, 2u);
    i[4 + 6 * threadIdx.x] = max(min(t, 3), 0);
    i[5 + 6 * threadIdx.x] = (int)max((short)t, (short)1);
    u[threadIdx.x] = min(v, 100u) + max(v, 5u);
    l[2 * threadIdx.x] = min(w, 1LL) + abs(w);
    l[2 * threadIdx.x + 1] = max(w, 7000000000LL);
    f[threadIdx.x] = min(t * 0.5f, 0.25f) + max(t * 0.5f, -0.75f) + abs(t * 1.5f) + fabsf(t * 0.25f);
    d[threadIdx.x] = min(t * 0.1, 0.15) + max((double)t, 1e-3) + fabs(t * 0.3);
}

int main()
{
    int i[48], *di;
    unsigned u[8], *du;
    long long l[16], *dl;
    float f[8], *df;
    double d[8], *dd;
    cudaMalloc((void **)&di, sizeof i);
    cudaMalloc((void **)&du, sizeof u);
    cudaMalloc((void **)&dl, sizeof l);
    cudaMalloc((void **)&df, sizeof f);
    cudaMalloc((void **)&dd, sizeof d);
    pick<<<1, 8>>>(di, du, dl, df, dd);
    cudaMemcpy(i, di, sizeof i, cudaMemcpyDeviceToHost);
    cudaMemcpy(u, du, sizeof u, cudaMemcpyDeviceToHost);
    cudaMemcpy(l, dl, sizeof l, cudaMemcpyDeviceToHost);
    cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 8; k++) {
        for (int j = 0; j < 6; j++)
            printf("%d ", i[6 * k + j]);
        printf("%u %lld %lld %g %g\n", u[k], l[2 * k], l[2 * k + 1], f[k], d[k]);
    }
    printf("%d %u %lld %g\n", min(3, -4), max(3u, 4u), max(-1LL, 1LL), max(0.5f, 0.25f));
    return 0;
}

// out: -4 -2 4 0 0 1 96 0 7000000000 4.25 0.801
// out: -3 -2 3 1 0 1 97 0 7000000000 3 0.601
// out: -2 -2 2 2 0 1 98 0 7000000000 1.75 0.401
// out: -1 -1 1 2 0 1 99 0 7000000000 0.75 0.201
// out: 0 0 0 2 0 1 5 0 7000000000 0 0.001
// out: 1 1 1 2 1 1 6 5000000001 7000000000 2.5 1.4
// out: 1 2 2 2 2 2 7 10000000001 10000000000 4.75 2.75
// out: 1 3 3 2 3 3 8 15000000001 15000000000 7 4.05
// out: -4 4 1 0.5
