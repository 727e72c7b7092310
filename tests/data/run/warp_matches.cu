// Lanes that have the same value, and values joined over lanes, also of two groups at once; the host
// works out what each should get.
#include <stdio.h>

__global__ void k(const int *in, const long long *wide, const float *real, unsigned *out, int *width)
{
    int t = threadIdx.x, n = blockDim.x;
    unsigned mask = __activemask();
    int same;
    out[0 * n + t] = __match_any_sync(mask, in[t]);
    out[1 * n + t] = __match_any_sync(mask, wide[t]);
    out[2 * n + t] = __match_any_sync(mask, real[t]);
    out[3 * n + t] = __match_all_sync(mask, in[t] >> 10, &same);
    out[4 * n + t] = same;
    out[5 * n + t] = __match_all_sync(mask, wide[t], &same) + same;
    out[6 * n + t] = __reduce_add_sync(mask, in[t]);
    out[7 * n + t] = __reduce_min_sync(mask, in[t] - 5);
    out[8 * n + t] = __reduce_max_sync(mask, in[t] - 5);
    out[9 * n + t] = __reduce_min_sync(mask, (unsigned)in[t] - 5u);
    out[10 * n + t] = __reduce_max_sync(mask, (unsigned)in[t] - 5u);
    out[11 * n + t] = __reduce_and_sync(mask, in[t] | 8u);
    out[12 * n + t] = __reduce_or_sync(mask, 1u << in[t] % 32);
    out[13 * n + t] = __reduce_xor_sync(mask, in[t] * 77u);
    // The odd lanes and the even ones, each with a mask of their own.
    unsigned mine = mask & (t & 1 ? 0xaaaaaaaau : 0x55555555u);
    out[14 * n + t] = __reduce_add_sync(mine, (unsigned)in[t]);
    out[15 * n + t] = __match_any_sync(mine, in[t]);
    *width = warpSize;
}

int main()
{
    const int n = 50;
    int in[n], *din, width, *dwidth, wrong = 0;
    long long wide[n], *dwide;
    float real[n], *dreal;
    static unsigned out[16][n];
    unsigned *dout;
    for (int i = 0; i < n; i++) {
        in[i] = i * i % 7;
        wide[i] = (long long)(i % 3) << 32 | i % 2;
        real[i] = i % 5 * 0.5f;
    }
    cudaMalloc(&din, sizeof in);
    cudaMalloc(&dwide, sizeof wide);
    cudaMalloc(&dreal, sizeof real);
    cudaMalloc(&dout, sizeof out);
    cudaMalloc(&dwidth, sizeof width);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(dwide, wide, sizeof wide, cudaMemcpyHostToDevice);
    cudaMemcpy(dreal, real, sizeof real, cudaMemcpyHostToDevice);
    k<<<1, n>>>(din, dwide, dreal, dout, dwidth);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(&width, dwidth, sizeof width, cudaMemcpyDeviceToHost);
    for (int t = 0; t < n; t++) {
        int first = t / width * width, end = min(first + width, n), least = 1000, most = -1000;
        unsigned want[16] = {}, low = ~0u, high = 0, mask = 0;
        want[11] = ~0u;
        int same = 1;
        for (int o = first; o < end; o++) {
            unsigned bit = 1u << (o - first);
            mask |= bit;
            want[0] |= in[o] == in[t] ? bit : 0;
            want[1] |= wide[o] == wide[t] ? bit : 0;
            want[2] |= real[o] == real[t] ? bit : 0;
            same &= wide[o] == wide[t];
            want[6] += in[o];
            least = min(least, in[o] - 5);
            most = max(most, in[o] - 5);
            low = min(low, in[o] - 5u);
            high = max(high, in[o] - 5u);
            want[11] &= in[o] | 8u;
            want[12] |= 1u << in[o] % 32;
            want[13] ^= in[o] * 77u;
            if ((o - t) % 2 == 0) {
                want[14] += in[o];
                want[15] |= in[o] == in[t] ? bit : 0;
            }
        }
        want[3] = mask;
        want[4] = 1;
        want[5] = same ? mask + 1 : 0;
        want[7] = least;
        want[8] = most;
        want[9] = low;
        want[10] = high;
        for (int i = 0; i < 16; i++)
            if (out[i][t] != want[i] && wrong++ < 10)
                printf("%d of thread %d is %x, not %x\n", i, t, out[i][t], want[i]);
    }
    printf("%d wrong\n", wrong);
    return 0;
}

// out: 0 wrong
