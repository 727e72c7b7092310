// Shifts have the type of their promoted left operand; right shifts of negatives copy the sign.
#include <stdio.h>

int main()
{
    int i = -8;
    unsigned u = 0x80000001u;
    long long ll = -1LL << 40;
    unsigned long long ull = 1ULL << 63;
    unsigned char uc = 0x81;
    signed char sc = (signed char)0x81;
    short s = (short)0x8001;

    printf("%d %d %d\n", i >> 1, i >> 2, i >> 31);
    printf("%u %u %u\n", u >> 1, u >> 31, u << 1);
    printf("%lld %lld\n", ll >> 39, ll >> 63);
    printf("%llu %llu\n", ull >> 63, ull >> 1);
    printf("%d %d\n", uc << 1, uc >> 1);
    printf("%d %d\n", sc >> 1, sc << 1);
    printf("%d %d\n", s >> 8, (unsigned short)s >> 8);
    printf("%d %d\n", 1 << 30, 1 << 31);
    printf("%lld %lld\n", (long long)(1 << 31), 1LL << 31);
    // The right operand's type does not matter.
    printf("%d %d\n", (int)sizeof(uc << 1ULL), (int)sizeof(1LL << uc));
    uc <<= 1;
    sc >>= 3;
    s <<= 1;
    printf("%d %d %d\n", uc, sc, s);
    u >>= 28;
    ll >>= 38;
    printf("%u %lld\n", u, ll);
    unsigned mask = 0;
    for (int k = 0; k < 32; k += 5)
        mask |= 1u << k;
    printf("%08x %08x %08x\n", mask, ~mask, mask ^ 0xFFFF0000);
    unsigned long long pattern = 0;
    for (int k = 0; k < 64; k += 7)
        pattern |= 1ULL << k;
    printf("%016llx %d\n", pattern, (int)(pattern >> 56 & 0xFF));
    printf("%d %d %d\n", ~0, ~5 & 0xF, -1 >> 1 == -1);
    printf("%d\n", 1 << 2 + 3);
    printf("%d\n", 256 >> 2 >> 1 << 3);
    return 0;
}

// out: -4 -2 -1
// out: 1073741824 1 2
// out: -2 -1
// out: 1 4611686018427387904
// out: 258 64
// out: -64 -254
// out: -128 128
// out: 1073741824 -2147483648
// out: -2147483648 2147483648
// out: 4 8
// out: 2 -16 2
// out: 8 -4
// out: 42108421 bdef7bde bdef8421
// out: 8102040810204081 129
// out: -1 10 1
// out: 32
// out: 256
