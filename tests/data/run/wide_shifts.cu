// Shifts by the width and more, by constants and not, one after the other, and a packer that counts on them.
#include <stdio.h>

__global__ void shifts(unsigned *out, unsigned long long *wide, int *sign, unsigned x, int from)
{
    int t = threadIdx.x, count = from + t;
    out[3 * t] = x << count;
    out[3 * t + 1] = x >> count;
    out[3 * t + 2] = x << 20 << (count & 31);
    unsigned long long y = (unsigned long long)x << 32 | x;
    wide[2 * t] = y << 2 * count;
    wide[2 * t + 1] = y >> 2 * count;
    sign[3 * t] = (int)x >> count;
    sign[3 * t + 1] = (int)((long long)y >> 2 * count);
    sign[3 * t + 2] = ((int)x >> 31) + ((int)x >> 32) + (x << 16 << 16) + ((int)x + 3 << 32);
}

// Moves words by `bit` bits; with 0 a word is shifted by 32.
__host__ __device__ void move(const unsigned *from, unsigned *to, int words, int bit)
{
    unsigned rest = 0;
    for (int i = 0; i < words; i++) {
        to[i] = rest | from[i] >> bit;
        rest = from[i] << 32 - bit;
    }
    to[words] = rest;
}

__global__ void pack(const unsigned *from, unsigned *to) { move(from, to + threadIdx.x * 4, 3, threadIdx.x * 16); }

int main()
{
    unsigned *out, *from, *to;
    unsigned long long *wide;
    int *sign;
    cudaMallocManaged(&out, 12 * sizeof(unsigned));
    cudaMallocManaged(&wide, 8 * sizeof(unsigned long long));
    cudaMallocManaged(&sign, 12 * sizeof(int));
    cudaMallocManaged(&from, 3 * sizeof(unsigned));
    cudaMallocManaged(&to, 8 * sizeof(unsigned));
    shifts<<<1, 4>>>(out, wide, sign, 0xfedcba98u, 30);
    for (int i = 0; i < 3; i++)
        from[i] = 0x01010101u * (i + 1);
    pack<<<1, 2>>>(from, to);
    cudaDeviceSynchronize();
    for (int t = 0; t < 4; t++) {
        printf("%08x %08x %08x", out[3 * t], out[3 * t + 1], out[3 * t + 2]);
        printf(" %016llx %016llx", wide[2 * t], wide[2 * t + 1]);
        printf(" %d %d %d\n", sign[3 * t], sign[3 * t + 1], sign[3 * t + 2]);
    }
    for (int i = 0; i < 8; i++)
        printf("%08x ", to[i]);
    move(from, to, 3, 0);
    printf("%08x\n", to[0]);
    printf("%d %d %lld\n", 1 << 32, -5 >> 40, 1LL << 64);
    return 0;
}

// out: 00000000 00000003 00000000 8000000000000000 000000000000000f -1 -1 -2
// out: 00000000 00000001 00000000 0000000000000000 0000000000000003 -1 -1 -2
// out: 00000000 00000000 a9800000 0000000000000000 0000000000000000 -1 -1 -2
// out: 00000000 00000000 53000000 0000000000000000 0000000000000000 -1 -1 -2
// out: 01010101 02020202 03030303 00000000 00000101 01010202 02020303 03030000 01010101
// out: 0 -1 0
