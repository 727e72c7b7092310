#include <stdio.h>
// What lanes of a warp do together without saying so: a reduction on volatile memory, and the histogram
// whose lanes try again until their own tag is seen. Needs warps of 32 lanes.
// machines: gtx480 fx5800
__device__ void warpReduce(volatile int *s, int t) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1]; }
template <unsigned blockSize> __global__ void reduce(const int *in, int *out)
{
    __shared__ volatile int s[blockSize + 32];
    unsigned t = threadIdx.x; s[t] = in[t] + in[t + blockSize];
    __syncthreads();
    if (blockSize >= 128) { if (t < 64) { s[t] = s[t] + s[t + 64]; } __syncthreads(); }
    if (t < 32) warpReduce((volatile int *)s, t);
    if (t == 0) *out = s[0];
}
__device__ inline void addData(volatile unsigned *hist, unsigned data, unsigned tag)
{
    unsigned count;
    do { count = hist[data] & 0x07FFFFFFU; count = tag | (count + 1); hist[data] = count; } while (hist[data] != count);
}
__global__ void histogram(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned hist[64];
    hist[threadIdx.x] = 0; hist[threadIdx.x + 32] = 0;
    unsigned tag = threadIdx.x << 27;
    for (int i = threadIdx.x; i < n; i += 32) addData(hist, in[i] & 63, tag);
    __syncthreads();
    out[threadIdx.x] = hist[threadIdx.x] & 0x07FFFFFFU; out[threadIdx.x + 32] = hist[threadIdx.x + 32] & 0x07FFFFFFU;
}
int main()
{
    int h[256], *d, *o, r; for (int i = 0; i < 256; i++) h[i] = i * 7 % 31;
    cudaMalloc(&d, sizeof h); cudaMalloc(&o, 64 * 4); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    reduce<128><<<1, 128>>>(d, o); cudaMemcpy(&r, o, 4, cudaMemcpyDeviceToHost);
    int want = 0; for (int i = 0; i < 256; i++) want += h[i];
    printf("%d %d\n", r, want);
    histogram<<<1, 32>>>((unsigned *)d, (unsigned *)o, 256); int c[64]; cudaMemcpy(c, o, sizeof c, cudaMemcpyDeviceToHost);
    int bad = 0; for (int b = 0; b < 64; b++) { int w = 0; for (int i = 0; i < 256; i++) w += (h[i] & 63) == b; bad += w != c[b]; }
    printf("%d\n", bad);
}

// out: 3823 3823
// out: 0
