// Shuffles of every kind and type within segments, against the host.
// options: --cuda 12
#include <stdio.h>

__device__ long long all_kinds(long long v, int which, int width)
{
    return __shfl_sync(~0u, v, which, width) + 3 * __shfl_up_sync(~0u, v, which, width)
        + 5 * __shfl_down_sync(~0u, v, which, width) + 7 * __shfl_xor_sync(~0u, v, which, width);
}

__global__ void segments(long long *out, int which, int width)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = all_kinds((long long)t * t << 30, which, width);
}

// Without a mask, and the usual width.
__global__ void types(int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char small = t * 9;
    bool odd = t & 1;
    int ok = __shfl(small, 1) == (unsigned char)((t - threadIdx.x % warpSize + 1) * 9);
    ok &= __shfl_xor(odd, 1) == !odd;
    ok &= __shfl_xor(t * 0.25f, 2) == (t ^ 2) * 0.25f;
    ok &= __shfl_xor(-t * 0.1, 1) == -(t ^ 1) * 0.1;
    ok &= __shfl_xor(~0ull - t, 3) == ~0ull - (t ^ 3);
    ok &= __shfl_up(t, 1) == (threadIdx.x % warpSize == 0 ? t : t - 1);
    ok &= sizeof(__shfl(small, 1)) == sizeof(int) && __shfl(-1, 0) < 0 && __shfl(~0u, 0) > 0;
    out[t] = ok;
}

__device__ float sum(float v)
{
    for (int d = warpSize / 2; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    return __shfl_sync(0xffffffff, v, 0);
}

__global__ void reduce(float *out) { out[threadIdx.x] = sum(threadIdx.x % warpSize + 1); }

// What comes from a lane that does not take part is 0.
__global__ void absent(int *out)
{
    int t = threadIdx.x;
    unsigned even = __ballot_sync(~0u, t % 2 == 0);
    out[t] = -1;
    if (t % 2 == 0)
        out[t] = __shfl_sync(even, t + 1, 1) * 10 + __shfl_sync(even, t + 1, 2);
}

__global__ void width(int *out) { *out = warpSize; }

int warp;

long long value(int t) { return (long long)t * t << 30; }

long long expected(int t, int which, int width)
{
    if (width > warp)
        width = warp;
    int lane = t % warp, base = t - lane, first = lane / width * width, end = first + width;
    int index = first + which % width, up = lane - which, down = lane + which, cross = lane ^ which;
    return value(base + index) + 3 * value(base + (up < first ? lane : up))
        + 5 * value(base + (down >= end ? lane : down))
        + 7 * value(base + (cross >= end ? lane : cross));
}

int main()
{
    const int n = 128;
    long long out[n], *d_out;
    int ok[n];
    float sums[64];
    cudaMalloc(&d_out, sizeof out);
    width<<<1, 1>>>((int *)d_out);
    cudaMemcpy(&warp, d_out, sizeof warp, cudaMemcpyDeviceToHost);
    int wrong = 0, widths[] = {1, 2, 4, 8, 16, 32};
    for (int w = 0; w < 6; w++)
        for (int which = 0; which < 35; which += which < 5 ? 1 : 10) {
            segments<<<2, 64>>>(d_out, which, widths[w]);
            cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
            for (int t = 0; t < n; t++)
                wrong += out[t] != expected(t, which, widths[w]);
        }
    printf("segments: %d wrong\n", wrong);
    types<<<2, 64>>>((int *)d_out);
    cudaMemcpy(ok, d_out, sizeof ok, cudaMemcpyDeviceToHost);
    wrong = 0;
    for (int t = 0; t < n; t++)
        wrong += !ok[t];
    printf("types: %d wrong\n", wrong);
    reduce<<<1, 64>>>((float *)d_out);
    cudaMemcpy(sums, d_out, sizeof sums, cudaMemcpyDeviceToHost);
    wrong = 0;
    for (int t = 0; t < 64; t++)
        wrong += sums[t] != warp * (warp + 1) / 2;
    printf("sums: %d wrong\n", wrong);
    absent<<<1, 8>>>((int *)d_out);
    cudaMemcpy(ok, d_out, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("absent: %d %d %d\n", ok[0], ok[1], ok[2]);
    return 0;
}

// out: segments: 0 wrong
// out: types: 0 wrong
// out: sums: 0 wrong
// out: absent: 3 -1 3
