// seed 562000510, Unrolled
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define THREADS 64
#define TOTAL 64
#define CELLS 4
__constant__ int table[16] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8, 9, 7, 9, 3};
__device__ int twist(int a, int b) { if (a > b) return a - b; return b * 3 + a; }
__device__ float blend(float a, float b, int k) {
    for (int j = 0; j < (k & 3); j++) { if (a > 100.0f) return b; a = a * 0.5f + b; }
    return a;
}
__device__ void bump(int *p, int by) { *p += by; }
struct Scope {
    int *at, by;
    __device__ Scope(int *at, int by) : at(at), by(by) { *at += by; }
    __device__ ~Scope() { *at = *at * 3 - by; }
};
struct Pair {
    int a; long long b;
    __device__ Pair operator+(const Pair &o) const { Pair sum = {a + o.a, b ^ o.b}; return sum; }
};
struct Kept { volatile int a; int b; volatile short s[2]; volatile unsigned low : 5; };
struct Nested { short s[3]; Pair pair; unsigned char c; float f; };
__device__ Pair pair_of(int a, long long b) { Pair made; made.a = a; made.b = b * 3; return made; }
__device__ void exchange(Pair &x, Pair &y) { Pair old = x; x = y; y = old; }
template <class T> struct Ring {
    T v[4];
    __device__ Ring(T first) { for (int j = 0; j < 4; j++) v[j] = first + (T)j; }
    __device__ T &operator[](int at) { return v[at & 3]; }
};
template <int K, class T> __device__ T scaled(T value) { return K % 2 ? value * (T)K : value - (T)K; }
template <class T> __device__ T largest(const T *values, int count) {
    T best = values[0];
    for (int j = 1; j < count; j++) if (values[j] > best) best = values[j];
    return best;
}

__global__ void kernel(const int *in, const float *fin, const unsigned char *bytes,
                       long long *out, float *fout, int *cells, unsigned char *raw,
                       int n, float x, cudaTextureObject_t tex, const int *skewed, int *window) {
__shared__ int sh[THREADS];
    __shared__ float fsh[THREADS];
    __shared__ int counts[8];
    __shared__ int4 quads[THREADS];
    int i0, i1, i2, i3 = n;
    unsigned u0 = 7, u1 = 0x80000001u;
    long long l0 = -3, l1 = 1LL << 40;
    float f0 = x, f1 = 0.25f, f2 = 1.0f;
    double d0 = 0.5, d1 = -2.0;
    char c0 = 1; unsigned char uc0 = 250; short s0 = -7; unsigned short us0 = 65530;
    bool b0 = false, b1 = true;
    int e0 = n, even[4] = {n, 2, 3, (int)blockIdx.x};
    int k0 = 0, k1 = 0, k2 = 0, k3 = 0;
    int local[8];
    signed char lb[16];
    unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned g = tid + THREADS * (blockIdx.x + gridDim.x * blockIdx.y);
    unsigned char *mine = raw + g * 16;
    i0 = in[g & 255]; i1 = threadIdx.x; i2 = blockIdx.x - threadIdx.y;
    for (int j = 0; j < 8; j++) local[j] = j * i0 + (int)tid;
    for (int j = 0; j < 16; j++) lb[j] = i0 >> j;
    for (unsigned j = tid; j < 8; j += THREADS) counts[j] = 0;
    sh[tid] = i0 + i1; fsh[tid] = fin[g & 255];
    quads[tid] = make_int4(i0, i1, i2, n);
    __syncthreads();
    { long long q1s = (long long)((i1 & 3) + 1 + (n & 1));
    #pragma unroll 3
    for (long long q1 = (-9223372036854775807LL - 1) + 45; q1 > (-9223372036854775807LL - 1) + 41 - (long long)((i0 & 31)); q1 -= q1s) {
        #pragma unroll
        for (k0 = 4; k0 <= 12; k0 += 2) {
            #pragma unroll 5
            for (k1 = 4; k1 <= 7; k1 += 3) {
            }
        }
    } }
out[g * CELLS] = i0 + (long long)i1 * 3 + l0;
    out[g * CELLS + 1] = l1 ^ u0 ^ ((long long)u1 << 20);
    out[g * CELLS + 2] = (i2 - i3) + c0 + uc0 * 7 + s0 + us0 + k0 + k1 * 5 + local[3] - lb[i0 & 15] + e0 + even[2];
    out[g * CELLS + 3] += (b0 ? 5 : 9) + b1;
    fout[g * 2] = f0 + f1;
    fout[g * 2 + 1] = f2 + (float)d0 - (float)d1;
    __syncthreads();
    if (tid < 8) atomicAdd(&cells[56 + tid], counts[tid]);
}

int main(int argc, char **argv) {
    int *in, *cells, *hin = (int *)malloc(256 * sizeof(int)), hcells[64];
    float *fin, *fout, *hfin = (float *)malloc(256 * sizeof(float));
    unsigned char *bytes, hbytes[256], *raw, *hraw = (unsigned char *)malloc(TOTAL * 16);
    long long *out, *hout = (long long *)malloc(TOTAL * CELLS * sizeof(long long));
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
    cudaMalloc((void **)&raw, TOTAL * 16);
    cudaMalloc((void **)&out, TOTAL * CELLS * sizeof(long long));
    cudaMalloc((void **)&fout, TOTAL * 2 * sizeof(float));
    cudaMemcpy(in, hin, 256 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(fin, hfin, 256 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(bytes, hbytes, 256, cudaMemcpyHostToDevice);
    cudaMemcpy(cells, hcells, 64 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(raw, 0xA5, TOTAL * 16);
    cudaMemset(out, 0, TOTAL * CELLS * sizeof(long long));
    cudaMemset(fout, 0, TOTAL * 2 * sizeof(float));
    cudaResourceDesc words = {}; cudaTextureDesc elements = {}; cudaTextureObject_t tex;
    words.resType = cudaResourceTypeLinear; words.res.linear.devPtr = in;
    words.res.linear.desc = cudaCreateChannelDesc<int>(); words.res.linear.sizeInBytes = 256 * sizeof(int);
    elements.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&tex, &words, &elements, NULL);
    kernel<<<dim3(1, 1), dim3(32, 2, 1)>>>(in, fin, bytes, out, fout, cells, raw, 77, 1.5f, tex, in + 1, (int *)(raw + 4));
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    if (argc > 1) {
        cudaMemcpy(hout, out, TOTAL * CELLS * sizeof(long long), cudaMemcpyDeviceToHost);
        cudaMemcpy(hfout, fout, TOTAL * 2 * sizeof(float), cudaMemcpyDeviceToHost);
        cudaMemcpy(hcells, cells, 64 * sizeof(int), cudaMemcpyDeviceToHost);
        cudaMemcpy(hraw, raw, TOTAL * 16, cudaMemcpyDeviceToHost);
        for (int i = 0; i < TOTAL * CELLS; i++) printf("%d %lld\n", i, hout[i]);
        for (int i = 0; i < TOTAL * 2; i++) printf("f%d %a\n", i, hfout[i]);
        for (int i = 0; i < 64; i++) printf("c%d %d\n", i, hcells[i]);
        for (int i = 0; i < TOTAL * 16; i++) printf("r%d %d\n", i, hraw[i]);
    }
    cudaDestroyTextureObject(tex);
    cudaFree(in); cudaFree(fin); cudaFree(bytes); cudaFree(cells); cudaFree(raw); cudaFree(out); cudaFree(fout);
    return 0;
}
