// Every integer atomic on global and shared memory, old values included; compare and swap loops.
#include <stdio.h>

__global__ void sums(int *i, unsigned *u, unsigned long long *l)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], t);
    atomicSub(&i[1], t);
    atomicMin(&i[2], 50 - t);
    atomicMax(&i[3], t % 40 - 20);
    atomicAnd(&i[4], ~(1 << t % 20));
    atomicOr(&i[5], 1 << t % 20);
    atomicXor(&i[6], 1 << t % 19);
    atomicAdd(&u[0], 0x20000000u + t);
    atomicSub(&u[1], t);
    atomicMin(&u[2], 0x80000000u + t);
    atomicMax(&u[3], 0x80000000u + t);
    atomicAnd(&u[4], ~(1u << t % 32));
    atomicOr(&u[5], 1u << 31 >> t % 8);
    atomicXor(&u[6], t * 2654435761u);
    atomicAdd(&l[0], 3000000000ULL);
    // Counts modulo 7, and downwards from 5.
    atomicInc(&u[7], 6);
    atomicDec(&u[8], 5);
}

__global__ void tickets(int *next, int *taken, int *order)
{
    int mine = atomicAdd(next, 1);
    taken[mine] = 1;
    int seen = atomicExch(&order[threadIdx.x], blockIdx.x + 1);
    atomicAdd(&order[blockDim.x], seen);
}

__device__ void multiply(int *where, int by)
{
    int old = *where, expected;
    do {
        expected = old;
        old = atomicCAS(where, expected, expected * by % 10007);
    } while (old != expected);
}

__device__ float add(float *where, float value)
{
    int *bits = (int *)where;
    int old = *bits, expected;
    do {
        expected = old;
        old = atomicCAS(bits, expected, __float_as_int(__int_as_float(expected) + value));
    } while (expected != old);
    return __int_as_float(old);
}

__global__ void swaps(int *product, float *sum, float *direct, unsigned long long *wide)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    multiply(product, t % 9 + 1);
    add(sum, t * 0.5f);
    atomicAdd(direct, t * 0.25f);
    if (t % 2) {
        unsigned long long old = *wide, seen;
        while ((seen = atomicCAS(wide, old, old + (1ULL << 33))) != old)
            old = seen;
    } else {
        atomicAdd(wide, 1ULL);
    }
    int claimed = atomicCAS(product + 1, 0, 77);
    if (claimed == 0)
        product[2] = 1;
}

__global__ void histogram(const unsigned char *data, int n, int *out)
{
    __shared__ int bins[16];
    __shared__ unsigned most;
    int t = threadIdx.x;
    if (t < 16)
        bins[t] = 0;
    if (t == 0)
        most = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&bins[data[i] >> 4], 1);
        atomicMax(&most, (unsigned)data[i]);
    }
    __syncthreads();
    if (t < 16)
        atomicAdd(&out[t], bins[t]);
    if (t == 0)
        atomicMax(&out[16], (int)most);
}

int main()
{
    int i[32] = {0, 0, 1000, -1000, -1, 0, 0};
    unsigned u[16] = {0, 0, 0xFFFFFFFFu, 0, 0xFFFFFFFFu, 0, 0, 0, 0};
    unsigned long long l[2] = {1};
    int *di;
    unsigned *du;
    unsigned long long *dl;
    cudaMalloc((void **)&di, 512 * sizeof(int));
    cudaMalloc((void **)&du, sizeof u);
    cudaMalloc((void **)&dl, sizeof l);
    cudaMemcpy(di, i, sizeof i, cudaMemcpyHostToDevice);
    cudaMemcpy(du, u, sizeof u, cudaMemcpyHostToDevice);
    cudaMemcpy(dl, l, sizeof l, cudaMemcpyHostToDevice);
    sums<<<5, 25>>>(di, du, dl);
    cudaMemcpy(i, di, sizeof i, cudaMemcpyDeviceToHost);
    cudaMemcpy(u, du, sizeof u, cudaMemcpyDeviceToHost);
    cudaMemcpy(l, dl, sizeof l, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 7; k++)
        printf("%d ", i[k]);
    printf("\n");
    for (int k = 0; k < 9; k++)
        printf("%u ", u[k]);
    printf("%llu\n", l[0]);

    int all[512];
    cudaMemset(di, 0, 512 * sizeof(int));
    tickets<<<6, 20>>>(di, di + 1, di + 200);
    cudaMemcpy(all, di, sizeof all, cudaMemcpyDeviceToHost);
    int taken = 0, left = 0;
    for (int k = 0; k < 199; k++)
        taken += all[1 + k];
    for (int k = 0; k < 20; k++)
        left += all[200 + k];
    // Every value 1 to 6 was exchanged once per cell: seen and left add up to 21 each.
    printf("%d %d %d\n", all[0], taken, all[220] + left);

    i[0] = 1;
    i[1] = i[2] = i[3] = i[4] = 0;
    l[0] = 0;
    cudaMemcpy(di, i, sizeof i, cudaMemcpyHostToDevice);
    cudaMemcpy(dl, l, sizeof l, cudaMemcpyHostToDevice);
    swaps<<<4, 24>>>(di, (float *)(di + 3), (float *)(di + 4), dl);
    cudaMemcpy(i, di, sizeof i, cudaMemcpyDeviceToHost);
    cudaMemcpy(l, dl, sizeof l, cudaMemcpyDeviceToHost);
    printf("%d %d %d %g %g %llu %llu\n", i[0], i[1], i[2], *(float *)&i[3], *(float *)&i[4], l[0] >> 33, l[0] & 0xFFFFFFFF);

    unsigned char data[500], *ddata;
    unsigned seed = 9;
    for (int k = 0; k < 500; k++)
        data[k] = (seed = seed * 1664525 + 1013904223) >> 24;
    cudaMalloc((void **)&ddata, sizeof data);
    cudaMemcpy(ddata, data, sizeof data, cudaMemcpyHostToDevice);
    cudaMemset(di, 0, 512 * sizeof(int));
    histogram<<<3, 32>>>(ddata, 500, di);
    cudaMemcpy(i, di, 17 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int k = 0; k < 17; k++)
        printf("%d%c", i[k], k == 16 ? '\n' : ' ');
    return 0;
}

// out: 7750 -7750 -74 19 -1048576 1048575 2047
// out: 2684362310 4294959546 2147483648 2147483772 0 4278190080 169983676 6 1 375000000001
// out: 120 120 420
// out: 2978 77 1 2280 1140 48 48
// out: 36 34 28 38 32 22 30 36 31 29 36 32 26 35 34 21 255
