// Integer intrinsics; the expected sums are those of a program in Python.
#include <stdio.h>

__constant__ unsigned special[10] = {0, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x80008000u,
    0x7fff7fffu, 0x80808080u, 0x7f7f7f7fu, 0x01ff00feu, 0xff0080ffu};

__device__ unsigned step(unsigned x) { return x * 1664525u + 1013904223u; }

// Three words of a thread: some at an end of their range, the others random.
__device__ void words(unsigned t, unsigned *w)
{
    unsigned x = t * 2654435761u;
    for (int i = 0; i < 3; i++) {
        x = step(x);
        w[i] = (x >> 28) % 4 == 0 ? special[(x >> 8) % 10] : step(x ^ x >> 13);
    }
}

__global__ void k(unsigned *out)
{
    int t = threadIdx.x;
    unsigned w[3];
    words(t, w);
    unsigned a = w[0], b = w[1], c = w[2];
    out[0 * 64 + t] = __sad(a, b, c);
    out[1 * 64 + t] = __usad(a, b, c);
    out[2 * 64 + t] = __hadd(a, b);
    out[3 * 64 + t] = __rhadd(a, b);
    out[4 * 64 + t] = __uhadd(a, b);
    out[5 * 64 + t] = __urhadd(a, b);
    out[6 * 64 + t] = __brevll((unsigned long long)a << 32 | b) >> 32;
    out[7 * 64 + t] = __brevll((unsigned long long)a << 32 | b);
    out[8 * 64 + t] = __byte_perm(a, b, c);
    out[9 * 64 + t] = __funnelshift_l(a, b, c);
    out[10 * 64 + t] = __funnelshift_lc(a, b, c % 50);
    out[11 * 64 + t] = __funnelshift_r(a, b, c);
    out[12 * 64 + t] = __funnelshift_rc(a, b, c % 50);
    out[13 * 64 + t] = __fns(a, b % 32, (int)(c % 21) - 10);
    out[14 * 64 + t] = __dp4a((int)a, (int)b, (int)c);
    out[15 * 64 + t] = __dp4a(a, b, c);
    out[16 * 64 + t] = __dp2a_lo((int)a, (int)b, (int)c);
    out[17 * 64 + t] = __dp2a_hi((int)a, (int)b, (int)c);
    out[18 * 64 + t] = __dp2a_lo(a, b, c);
    out[19 * 64 + t] = __dp2a_hi(a, b, c);
    out[20 * 64 + t] = __double2hiint(__hiloint2double(a & 0x3fffffff, b));
    out[21 * 64 + t] = __double2loint(__hiloint2double(a & 0x3fffffff, b));
    out[22 * 64 + t] = __mul24(a, b) ^ __umul24(a, c);
}

int main()
{
    static unsigned all[23 * 64];
    unsigned *out;
    cudaMalloc(&out, sizeof all);
    k<<<1, 64>>>(out);
    cudaMemcpy(all, out, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 23; i++) {
        unsigned sum = 0;
        for (int t = 0; t < 64; t++)
            sum = sum * 31 + all[i * 64 + t];
        printf("%08x%c", sum, i % 6 == 5 || i == 22 ? '\n' : ' ');
    }
    return 0;
}

// out: 22d151fe 64cec0fc de8db82d 72f3618e 5e8db82d f2f3618e
// out: d3fd1bfa e71fa511 63800a54 e8fac5d9 8709c207 df42843f
// out: e99263c5 f5983386 6e386805 d0c3e105 83f9899c 8c9e8944
// out: d6cf329c 1e3ded44 b6e18c84 5a9f8d37 7064f7c8
