// Bit and rounding intrinsics.
#include <stdio.h>

__global__ void bits(const unsigned *in, int *out)
{
    int t = threadIdx.x;
    unsigned x = in[t];
    unsigned long long w = (unsigned long long)x << 20 | t;
    int *o = out + 12 * t;
    o[0] = __popc(x);
    o[1] = __clz(x);
    o[2] = __ffs(x);
    o[3] = __brev(x);
    o[4] = __popcll(w);
    o[5] = __clzll(w);
    o[6] = __ffsll(w);
    o[7] = __mul24(x, -3);
    o[8] = __umul24(x, 0xFFFFFFFFu);
    o[9] = __mulhi(x, 0x12345678);
    o[10] = __umulhi(x, x);
    o[11] = (int)(__umul64hi(w << 20, w << 24) ^ __mul64hi(-(long long)w, 1LL << 62));
}

__global__ void rounding(const float *in, int *out)
{
    float x = in[threadIdx.x];
    int *o = out + 6 * threadIdx.x;
    o[0] = __float2int_rn(x);
    o[1] = __float2int_rz(x);
    o[2] = __float2int_rd(x);
    o[3] = __float2int_ru(x);
    o[4] = __float_as_int(x);
    o[5] = __float_as_int(__int2float_rn(16777217 + threadIdx.x) + __uint2float_rn(0xFFFFFF7Fu + threadIdx.x));
}

__global__ void casts(float *f, double *d, long long *l)
{
    int t = threadIdx.x;
    f[t] = __int_as_float(0x3F800000 + (t << 20)) + __uint_as_float(0xC0000000u);
    d[t] = __longlong_as_double(0x3FF0000000000000LL + ((long long)t << 48));
    l[t] = __double_as_longlong(t * -0.5) ^ __float_as_uint(-1.0f * t);
}

int main()
{
    unsigned in[8] = {0, 1, 0x80000000u, 0xFFFFFFFFu, 0x00F0F000u, 12345678, 0xFF800001u, 0x00800000u};
    float reals[8] = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 3.7f, -3.2f, 1e6f};
    int host[96], *out;
    unsigned *din;
    float *dreals;
    cudaMalloc((void **)&din, sizeof in);
    cudaMalloc((void **)&dreals, sizeof reals);
    cudaMalloc((void **)&out, sizeof host);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(dreals, reals, sizeof reals, cudaMemcpyHostToDevice);
    bits<<<1, 8>>>(din, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 96; i++)
        printf("%x%c", host[i], i % 12 == 11 ? '\n' : ' ');
    rounding<<<1, 8>>>(dreals, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 48; i++)
        printf(i % 6 > 3 ? "%x%c" : "%d%c", host[i], i % 6 == 5 ? '\n' : ' ');
    float f[8], *df;
    double d[8], *dd;
    long long l[8], *dl;
    cudaMalloc((void **)&df, sizeof f);
    cudaMalloc((void **)&dd, sizeof d);
    cudaMalloc((void **)&dl, sizeof l);
    casts<<<1, 8>>>(df, dd, dl);
    cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
    cudaMemcpy(l, dl, sizeof l, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%g %g %llx\n", f[i], d[i], l[i]);
    return 0;
}

// out: 0 20 0 0 0 40 0 0 0 0 0 0
// out: 1 1f 1 80000000 2 2b 1 fffffffd ffffff 0 0 ffebfffd
// out: 1 0 20 1 2 c 2 0 0 f6e5d4c4 40000000 ffffffff
// out: 20 0 1 ffffffff 22 c 1 3 fe000001 ffffffff fffffffe 33c0005
// out: 8 8 d f0f00 9 14 3 2d3000 ff0f1000 112222 e2c2 3c387fff
// out: c 8 2 72863d00 e 14 1 cadc16 4d439eb2 d655a 8a9f 3aec32f2
// out: a 0 1 800001ff c c 2 17ffffd 7fffff fff6e5d4 ff004001 fcebfff2
// out: 1 8 18 100 4 14 1 1800000 ff800000 91a2b 4000 fc7ffffe
// out: 0 0 0 1 3f000000 4f808000
// out: 2 1 1 2 3fc00000 4f808000
// out: 2 2 2 3 40200000 4f808000
// out: 0 0 -1 0 bf000000 4f808000
// out: -2 -1 -2 -1 bfc00000 4f808000
// out: 4 3 3 4 406ccccd 4f808000
// out: -3 -3 -4 -3 c04ccccd 4f808000
// out: 1000000 1000000 1000000 1000000 49742400 4f808000
// out: -1 1 8000000080000000
// out: -0.875 1.0625 bfe00000bf800000
// out: -0.75 1.125 bff00000c0000000
// out: -0.625 1.1875 bff80000c0400000
// out: -0.5 1.25 c0000000c0800000
// out: -0.375 1.3125 c0040000c0a00000
// out: -0.25 1.375 c0080000c0c00000
// out: -0.125 1.4375 c00c0000c0e00000
