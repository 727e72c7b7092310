// seed 294, Barriers
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define THREADS 64
#define TOTAL 192
__constant__ int table[16] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8, 9, 7, 9, 3};
__device__ int twist(int a, int b) { if (a > b) return a - b; return b * 3 + a; }
__device__ float blend(float a, float b, int k) {
    for (int j = 0; j < (k & 3); j++) { if (a > 100.0f) return b; a = a * 0.5f + b; }
    return a;
}
__device__ void bump(int *p, int by) { *p += by; }
__global__ void kernel(const int *in, const float *fin, const unsigned char *bytes,
                       long long *out, float *fout, int *cells, int n, float x) {
__shared__ int sh[THREADS];
    __shared__ float fsh[THREADS];
    __shared__ int counts[8];
    int i0, i1, i2, i3 = n;
    unsigned u0 = 7, u1 = 0x80000001u;
    long long l0 = -3, l1 = 1LL << 40;
    float f0 = x, f1 = 0.25f, f2 = 1.0f;
    double d0 = 0.5, d1 = -2.0;
    char c0 = 1; unsigned char uc0 = 250; short s0 = -7; unsigned short us0 = 65530;
    bool b0 = false;
    int k0 = 0, k1 = 0, k2 = 0, k3 = 0;
    int local[8];
    unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned g = tid + THREADS * (blockIdx.x + gridDim.x * blockIdx.y);
    i0 = in[g & 255]; i1 = threadIdx.x; i2 = blockIdx.x - threadIdx.y;
    for (int j = 0; j < 8; j++) local[j] = j * i0 + (int)tid;
    if (tid < 8) counts[tid] = 0;
    sh[tid] = i0 + i1; fsh[tid] = fin[g & 255];
    __syncthreads();
    if ((((fin[(g + 1) & 255] - f1) == (float)((!u1)) && (in[(g) & 255] / ((i3) | 1)) != 236) || (tid & 19) <= 4u) && tid > 7) return;
    {
        __syncthreads();
    }
    out[g * 4] = i0 + (long long)i1 * 3 + l0;
    out[g * 4 + 1] = l1 ^ u0 ^ ((long long)u1 << 20);
    out[g * 4 + 2] = (i2 - i3) + c0 + uc0 * 7 + s0 + us0;
    out[g * 4 + 3] += b0 ? 5 : 9;
    fout[g * 2] = f0 + f1;
    fout[g * 2 + 1] = f2 + (float)d0 - (float)d1;
}

int main() {
    int *in, *cells, *hin = (int *)malloc(256 * sizeof(int)), hcells[64];
    float *fin, *fout, *hfin = (float *)malloc(256 * sizeof(float));
    unsigned char *bytes, hbytes[256];
    long long *out, *hout = (long long *)malloc(TOTAL * 4 * sizeof(long long));
    float *hfout = (float *)malloc(TOTAL * 2 * sizeof(float));
    srand(42);
    for (int i = 0; i < 256; i++) {
        hin[i] = rand() % 2001 - 1000;
        hfin[i] = (rand() % 4096 - 2048) / 16.0f;
        hbytes[i] = rand() & 255;
    }
    for (int i = 0; i < 64; i++) hcells[i] = i;
    cudaMalloc((void **)&in, 256 * sizeof(int));
    cudaMalloc((void **)&fin, 256 * sizeof(float));
    cudaMalloc((void **)&bytes, 256);
    cudaMalloc((void **)&cells, 64 * sizeof(int));
    cudaMalloc((void **)&out, TOTAL * 4 * sizeof(long long));
    cudaMalloc((void **)&fout, TOTAL * 2 * sizeof(float));
    cudaMemcpy(in, hin, 256 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(fin, hfin, 256 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(bytes, hbytes, 256, cudaMemcpyHostToDevice);
    cudaMemcpy(cells, hcells, 64 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, TOTAL * 4 * sizeof(long long));
    cudaMemset(fout, 0, TOTAL * 2 * sizeof(float));
    kernel<<<dim3(3, 1), dim3(8, 8, 1)>>>(in, fin, bytes, out, fout, cells, 77, 1.5f);
    cudaMemcpy(hout, out, TOTAL * 4 * sizeof(long long), cudaMemcpyDeviceToHost);
    cudaMemcpy(hfout, fout, TOTAL * 2 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(hcells, cells, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < TOTAL * 4; i++) printf("%d %lld\n", i, hout[i]);
    for (int i = 0; i < TOTAL * 2; i++) printf("f%d %a\n", i, hfout[i]);
    for (int i = 0; i < 64; i++) printf("c%d %d\n", i, hcells[i]);
    return 0;
}
