// Conversions between integers and floating point numbers in all directions of rounding. The expected
// sums are those of exact fractions, in Python.
#include <stdio.h>

__constant__ unsigned special[16] = {0x0u, 0x80000000u, 0x1u, 0x80000001u, 0x7f800000u, 0xff800000u, 0x7f7fffffu, 0xff7fffffu, 0x7fffffffu, 0x800000u, 0x3f800000u, 0xbf800000u, 0x3f800001u, 0x7fffffu, 0x4b800000u, 0x33800000u};
__constant__ unsigned long long wide[16] = {0x0ull, 0x8000000000000000ull, 0x1ull, 0x8000000000000001ull, 0x7ff0000000000000ull, 0xfff0000000000000ull, 0x7fefffffffffffffull, 0xffefffffffffffffull, 0x7fffffffffffffffull, 0x10000000000000ull, 0x3ff0000000000000ull, 0xbff0000000000000ull, 0x3ff0000000000001ull, 0xfffffffffffffull, 0x4340000000000000ull, 0x3c90000000000000ull};

__device__ unsigned long long step(unsigned long long x)
{
    return x * 6364136223846793005ull + 1442695040888963407ull;
}

__global__ void k(unsigned long long *out)
{
    int t = threadIdx.x;
    unsigned long long x = step(t * 0x9E3779B97F4A7C15ull + 99), y = step(x);
    unsigned e = (x >> 40) % 70, few = (x >> 50) % 4 == 0;
    unsigned long long b = (y & 0x800fffffffffffffull) | (unsigned long long)(1020 + e) << 52;
    if (few)
        b &= ~((1ull << (52 - min(e, 50u))) - 1);
    unsigned c = ((unsigned)(y >> 32) & 0x807fffffu) | (124 + e) << 23;
    if (few)
        c &= ~((1u << (23 - min(e, 22u))) - 1);
    unsigned long long g = (y & ~(0x7ffull << 52)) | (863 + (x >> 40) % 300) << 52;
    if (x >> 60 == 0) {
        b = g = wide[(x >> 55) % 16];
        c = special[(x >> 55) % 16];
    }
    float f = __uint_as_float(c);
    double d = __longlong_as_double(b), n = __longlong_as_double(g);
    long long i = y >> (x >> 40) % 64;
    if ((x >> 60) % 2 == 0)
        i = -i;
    out[0 * 256 + t] = (unsigned long long)((long long)__float2int_rn(f));
    out[1 * 256 + t] = (unsigned long long)((long long)__float2int_rz(f));
    out[2 * 256 + t] = (unsigned long long)((long long)__float2int_rd(f));
    out[3 * 256 + t] = (unsigned long long)((long long)__float2int_ru(f));
    out[4 * 256 + t] = (unsigned long long)(__float2uint_rn(f));
    out[5 * 256 + t] = (unsigned long long)(__float2uint_rz(f));
    out[6 * 256 + t] = (unsigned long long)(__float2uint_rd(f));
    out[7 * 256 + t] = (unsigned long long)(__float2uint_ru(f));
    out[8 * 256 + t] = (unsigned long long)(__float2ll_rn(f));
    out[9 * 256 + t] = (unsigned long long)(__float2ll_rz(f));
    out[10 * 256 + t] = (unsigned long long)(__float2ll_rd(f));
    out[11 * 256 + t] = (unsigned long long)(__float2ll_ru(f));
    out[12 * 256 + t] = (unsigned long long)(__float2ull_rn(f));
    out[13 * 256 + t] = (unsigned long long)(__float2ull_rz(f));
    out[14 * 256 + t] = (unsigned long long)(__float2ull_rd(f));
    out[15 * 256 + t] = (unsigned long long)(__float2ull_ru(f));
    out[16 * 256 + t] = (unsigned long long)((long long)__double2int_rn(d));
    out[17 * 256 + t] = (unsigned long long)((long long)__double2int_rz(d));
    out[18 * 256 + t] = (unsigned long long)((long long)__double2int_rd(d));
    out[19 * 256 + t] = (unsigned long long)((long long)__double2int_ru(d));
    out[20 * 256 + t] = (unsigned long long)(__double2uint_rn(d));
    out[21 * 256 + t] = (unsigned long long)(__double2uint_rz(d));
    out[22 * 256 + t] = (unsigned long long)(__double2uint_rd(d));
    out[23 * 256 + t] = (unsigned long long)(__double2uint_ru(d));
    out[24 * 256 + t] = (unsigned long long)(__double2ll_rn(d));
    out[25 * 256 + t] = (unsigned long long)(__double2ll_rz(d));
    out[26 * 256 + t] = (unsigned long long)(__double2ll_rd(d));
    out[27 * 256 + t] = (unsigned long long)(__double2ll_ru(d));
    out[28 * 256 + t] = (unsigned long long)(__double2ull_rn(d));
    out[29 * 256 + t] = (unsigned long long)(__double2ull_rz(d));
    out[30 * 256 + t] = (unsigned long long)(__double2ull_rd(d));
    out[31 * 256 + t] = (unsigned long long)(__double2ull_ru(d));
    out[32 * 256 + t] = (unsigned long long)(__float_as_uint(__int2float_rn((int)i)));
    out[33 * 256 + t] = (unsigned long long)(__float_as_uint(__int2float_rz((int)i)));
    out[34 * 256 + t] = (unsigned long long)(__float_as_uint(__int2float_rd((int)i)));
    out[35 * 256 + t] = (unsigned long long)(__float_as_uint(__int2float_ru((int)i)));
    out[36 * 256 + t] = (unsigned long long)(__double_as_longlong(__int2double_rn((int)i)));
    out[37 * 256 + t] = (unsigned long long)(__float_as_uint(__uint2float_rn((unsigned)i)));
    out[38 * 256 + t] = (unsigned long long)(__float_as_uint(__uint2float_rz((unsigned)i)));
    out[39 * 256 + t] = (unsigned long long)(__float_as_uint(__uint2float_rd((unsigned)i)));
    out[40 * 256 + t] = (unsigned long long)(__float_as_uint(__uint2float_ru((unsigned)i)));
    out[41 * 256 + t] = (unsigned long long)(__double_as_longlong(__uint2double_rn((unsigned)i)));
    out[42 * 256 + t] = (unsigned long long)(__float_as_uint(__ll2float_rn(i)));
    out[43 * 256 + t] = (unsigned long long)(__float_as_uint(__ll2float_rz(i)));
    out[44 * 256 + t] = (unsigned long long)(__float_as_uint(__ll2float_rd(i)));
    out[45 * 256 + t] = (unsigned long long)(__float_as_uint(__ll2float_ru(i)));
    out[46 * 256 + t] = (unsigned long long)(__double_as_longlong(__ll2double_rn(i)));
    out[47 * 256 + t] = (unsigned long long)(__double_as_longlong(__ll2double_rz(i)));
    out[48 * 256 + t] = (unsigned long long)(__double_as_longlong(__ll2double_rd(i)));
    out[49 * 256 + t] = (unsigned long long)(__double_as_longlong(__ll2double_ru(i)));
    out[50 * 256 + t] = (unsigned long long)(__float_as_uint(__ull2float_rn((unsigned long long)i)));
    out[51 * 256 + t] = (unsigned long long)(__float_as_uint(__ull2float_rz((unsigned long long)i)));
    out[52 * 256 + t] = (unsigned long long)(__float_as_uint(__ull2float_rd((unsigned long long)i)));
    out[53 * 256 + t] = (unsigned long long)(__float_as_uint(__ull2float_ru((unsigned long long)i)));
    out[54 * 256 + t] = (unsigned long long)(__double_as_longlong(__ull2double_rn((unsigned long long)i)));
    out[55 * 256 + t] = (unsigned long long)(__double_as_longlong(__ull2double_rz((unsigned long long)i)));
    out[56 * 256 + t] = (unsigned long long)(__double_as_longlong(__ull2double_rd((unsigned long long)i)));
    out[57 * 256 + t] = (unsigned long long)(__double_as_longlong(__ull2double_ru((unsigned long long)i)));
    out[58 * 256 + t] = (unsigned long long)(__float_as_uint(__double2float_rn(n)));
    out[59 * 256 + t] = (unsigned long long)(__float_as_uint(__double2float_rz(n)));
    out[60 * 256 + t] = (unsigned long long)(__float_as_uint(__double2float_rd(n)));
    out[61 * 256 + t] = (unsigned long long)(__float_as_uint(__double2float_ru(n)));
}

int main()
{
    static unsigned long long all[62 * 256];
    unsigned long long *out;
    cudaMalloc(&out, sizeof all);
    k<<<1, 256>>>(out);
    cudaMemcpy(all, out, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 62; i++) {
        unsigned sum = 0;
        for (int t = 0; t < 256; t++)
            sum = sum * 31 + (unsigned)all[i * 256 + t] + 7 * (unsigned)(all[i * 256 + t] >> 32);
        printf("%08x%c", sum, i % 4 == 3 || i == 61 ? '\n' : ' ');
    }
    return 0;
}

// out: 24dcd846 49195e9e ee8d137a 56a2be42
// out: 54225def 6aee9a2f 6aee9a2f 7877f9d3
// out: 023fe587 267c6bdf cbf020bb 3405cb83
// out: c1a1faf9 d86e3739 d86e3739 e5f796dd
// out: e754356f dbdb16ab f02ff40c 533b98b0
// out: 1d6f9d27 f30535aa f30535aa 8083544f
// out: cc511369 67de8cf0 81ca7793 88bd1452
// out: 88b222bd d7c93a86 d7c93a86 f8a7c1e8
// out: 240beb85 86b12b16 714b80a4 8c4186a7
// out: e926891c ded18a27 4a5dffaf 4a5dffaf
// out: 781bfd2c 5f966d34 6b74ed96 3dbd8715
// out: 43be3e78 31c84ad0 12e836ec a8ba8fd0
// out: a81baa54 4cb683ab 974a09c7 98b0dded
// out: 98b0dded b5c1494a 33b9d55e 57b629b2
// out: 57b629b2 62ab0af4 fe0e56a1 7f738b44
// out: 7443bd22 23f5aa63
