// seed 110100241, Streams
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define THREADS 25
#define TOTAL 75
#define INPUT 8192
#define ROWS 8
__global__ void kernel(const int *in, const unsigned char *bytes, const short *halves,
                       const long long *longs, const float *fin, int *column, int *other,
                       short *narrow, unsigned char *byte, long long *wide, long long *out,
                       int *cells, int n, int m, int w) {
    __shared__ int sh[THREADS];
    int v0 = 1, v1 = n, v2 = m, v3 = -5, a0 = 7, a1 = 70;
    long long l0 = -3;
    float f0 = 0.5f;
    int k0 = 0, k1 = 0, k2 = 0;
    int local[8];
    unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned g = tid + THREADS * (blockIdx.x + gridDim.x * blockIdx.y);
    for (int j = 0; j < 8; j++) local[j] = j * m;
    sh[tid] = (int)g;
    __syncthreads();
    for (k0 = 0; k0 < (int)min(tid, 4u); k0++) {
        if (((int)threadIdx.x % 4) < 1u) break;
    }
    for (k0 = 0; k0 < (int)min(tid, 4u); k0++) {
    }
out[g * 4] = v0 + v1 * 3LL;
    out[g * 4 + 1] = v2 - v3 * 5LL + l0;
    out[g * 4 + 2] = (long long)__float_as_int(f0) + a0 + a1 * 7 + k0 + k1 + k2;
    out[g * 4 + 3] = local[3] + sh[tid];
}

int main(int argc, char **argv) {
    static int hin[INPUT]; static float hfin[INPUT]; static unsigned char hbytes[INPUT];
    static short hhalves[INPUT]; static long long hlongs[INPUT];
    static long long hout[TOTAL * 4]; static int hcolumn[TOTAL * ROWS]; int hcells[32];
    srand(42);
    for (int i = 0; i < INPUT; i++) {
        hin[i] = rand() % 2001 - 1000;
        hfin[i] = (rand() % 4096 - 2048) / 16.0f;
        hbytes[i] = rand() & 255;
        hhalves[i] = rand();
        hlongs[i] = (long long)rand() << 20;
    }
    int *in, *column, *cells; float *fin; unsigned char *bytes, *byte; short *halves, *narrow;
    long long *longs, *wide, *out;
    cudaMalloc((void **)&in, sizeof hin); cudaMalloc((void **)&fin, sizeof hfin);
    cudaMalloc((void **)&bytes, sizeof hbytes); cudaMalloc((void **)&halves, sizeof hhalves);
    cudaMalloc((void **)&longs, sizeof hlongs); cudaMalloc((void **)&column, sizeof hcolumn);
    cudaMalloc((void **)&narrow, TOTAL * ROWS * 2); cudaMalloc((void **)&byte, TOTAL * ROWS);
    cudaMalloc((void **)&wide, TOTAL * ROWS * 8); cudaMalloc((void **)&out, sizeof hout);
    cudaMalloc((void **)&cells, sizeof hcells);
    cudaMemcpy(in, hin, sizeof hin, cudaMemcpyHostToDevice);
    cudaMemcpy(fin, hfin, sizeof hfin, cudaMemcpyHostToDevice);
    cudaMemcpy(bytes, hbytes, sizeof hbytes, cudaMemcpyHostToDevice);
    cudaMemcpy(halves, hhalves, sizeof hhalves, cudaMemcpyHostToDevice);
    cudaMemcpy(longs, hlongs, sizeof hlongs, cudaMemcpyHostToDevice);
    cudaMemset(column, 3, sizeof hcolumn); cudaMemset(narrow, 1, TOTAL * ROWS * 2);
    cudaMemset(byte, 9, TOTAL * ROWS); cudaMemset(wide, 0, TOTAL * ROWS * 8);
    cudaMemset(out, 0, sizeof hout); cudaMemset(cells, 0, sizeof hcells);
    kernel<<<dim3(3, 1), dim3(25, 1, 1)>>>(in, bytes, halves, longs, fin, column, column + TOTAL, narrow, byte, wide, out,
                            cells, 77, 3, TOTAL);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    if (argc > 1) {
        cudaMemcpy(hout, out, sizeof hout, cudaMemcpyDeviceToHost);
        cudaMemcpy(hcolumn, column, sizeof hcolumn, cudaMemcpyDeviceToHost);
        cudaMemcpy(hcells, cells, sizeof hcells, cudaMemcpyDeviceToHost);
        for (int i = 0; i < TOTAL * 4; i++) printf("%d %lld\n", i, hout[i]);
        for (int i = 0; i < TOTAL * ROWS; i++) printf("c%d %d\n", i, hcolumn[i]);
        for (int i = 0; i < 32; i++) printf("x%d %d\n", i, hcells[i]);
    }
    cudaFree(in); cudaFree(fin); cudaFree(bytes); cudaFree(halves); cudaFree(longs);
    cudaFree(column); cudaFree(narrow); cudaFree(byte); cudaFree(wide); cudaFree(out); cudaFree(cells);
    return 0;
}
