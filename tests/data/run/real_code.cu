// What real kernels do that bites: threads that have returned, barriers under loaded conditions,
// bytes that wrap, odd blocks, large local arrays, structures with pointers in constant memory.
#include <stdio.h>
#include <cuda_runtime.h>
// __global__ void dead(int *a) { broken broken }
/* __global__ void dead2( */
#ifdef RD_WG_SIZE
#define BLOCK RD_WG_SIZE
#elif defined(OTHER)
#define BLOCK 3
#else
#define BLOCK 61
#endif
struct desc { int n; float *at[2]; bool *flags; };
__constant__ desc table[2];
__global__ void early(int *out, int n) { int i = threadIdx.x; if (i >= n) return; __shared__ int s[128]; s[i] = i; __syncthreads(); out[i] = s[n - 1 - i]; }
__global__ void loaded(const int *rounds, int *out) { int k = 0; __shared__ int s; if (threadIdx.x == 0) s = 0; __syncthreads(); while (k < rounds[blockIdx.x]) { atomicAdd(&s, 1); __syncthreads(); k++; } out[blockIdx.x * blockDim.x + threadIdx.x] = s; }
__global__ void winner(int *out) { out[0] = threadIdx.x; }
__global__ void wrap(unsigned char *t, int *out) { unsigned char ai = 16 * (2 * 9 + 1) - 1; out[0] = ai; t[ai] = 7; out[1] = t[(unsigned char)(ai + 256)]; out[2] = __mul24(-3, 5); out[3] = __mul24(0x7fffff, 2); out[4] = (int)__powf(2, 10); out[5] = (int)exp2f(5.0f); out[6] = (int)log2f(1024.0f); }
__global__ void big(float *out) { float L2[3280]; for (int i = 0; i < 3280; i++) L2[i] = i + threadIdx.x; float s = 0; for (int i = 3279; i >= 0; i -= 7) s += L2[i]; out[threadIdx.x] = s; }
__global__ void flags(bool *f, int *out) { int i = threadIdx.x; f[i] = i & 1; __syncthreads(); out[i] = f[(i + 1) % blockDim.x] + sizeof(bool); }
__global__ void viaconst(int *out) { desc d = table[1]; d.at[1][threadIdx.x] = d.n + threadIdx.x; d.flags[threadIdx.x] = true; out[threadIdx.x] = (int)table[1].at[1][threadIdx.x]; }
__global__ void names(int in, int *data, int min) { int out = in + min; { __shared__ int tmp[4]; tmp[0] = out; data[0] = tmp[0]; } { __shared__ int tmp[2]; tmp[1] = 5; data[1] = tmp[1]; } }
__global__ void dims(int *out) { int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); out[t] = t; }
int main()
{
    int *d, h[512]; cudaMalloc(&d, sizeof h);
#define GET cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)
    early<<<1, 128>>>(d, 61); GET; printf("%d %d\n", h[0], h[60]);
    int r[2] = {3, 5}, *dr; cudaMalloc(&dr, 8); cudaMemcpy(dr, r, 8, cudaMemcpyHostToDevice); loaded<<<2, 25>>>(dr, d); GET; printf("%d %d\n", h[0], h[26]);
    winner<<<1, 169>>>(d); GET; printf("%d\n", h[0]);
    unsigned char *t; cudaMalloc(&t, 256); wrap<<<1, 1>>>(t, d); GET; printf("%d %d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6]);
    float *f; cudaMalloc(&f, 4096); big<<<1, 33>>>(f); float hf[33]; cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost); printf("%g %g\n", hf[0], hf[32]);
    bool *b; cudaMalloc(&b, 64); flags<<<1, 25>>>(b, d); GET; printf("%d %d\n", h[0], h[1]);
    desc hd[2] = {}; hd[1].n = 40; hd[1].at[1] = f; hd[1].flags = b; cudaMemcpyToSymbol(table, hd, sizeof hd); viaconst<<<1, 8>>>(d); GET; printf("%d\n", h[7]);
    names<<<1, 1>>>(3, d, 4); GET; printf("%d %d\n", h[0], h[1]);
    dims<<<1, dim3(8, 2, 8)>>>(d); GET; printf("%d %d\n", h[127], BLOCK);
}

// out: 60 0
// out: 75 125
// out: 168
// out: 47 7 -15 16777214 1024 32 10
// out: 769629 784637
// out: 2 1
// out: 47
// out: 7 5
// out: 127 61
