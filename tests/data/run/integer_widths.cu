// Overflow wraps at every width; the small types are computed as int and converted back.
#include <stdio.h>

int main()
{
    signed char sc = 127;
    unsigned char uc = 255;
    short s = 32767;
    unsigned short us = 65535;
    int i = 2147483647;
    unsigned int u = 4294967295u;
    long l = 9223372036854775807L;
    unsigned long ul = 18446744073709551615UL;
    long long ll = 9223372036854775807LL;
    unsigned long long ull = 18446744073709551615ULL;

    printf("%d %d %d %d\n", sc + 1, uc + 1, s + 1, us + 1);
    sc++;
    uc++;
    s++;
    us++;
    i++;
    u++;
    l++;
    ul++;
    ll++;
    ull++;
    printf("%d %d %d %d\n", sc, uc, s, us);
    printf("%d %u %ld %lu %lld %llu\n", i, u, l, ul, ll, ull);
    sc--;
    uc--;
    s--;
    us--;
    i--;
    u--;
    l--;
    ul--;
    ll--;
    ull--;
    printf("%d %d %d %d\n", sc, uc, s, us);
    printf("%d %u %ld %lu %lld %llu\n", i, u, l, ul, ll, ull);

    // Narrowing keeps the low bits.
    long long wide = 0x123456789ABCDEF0LL;
    printf("%d %d %d %d\n", (signed char)wide, (unsigned char)wide, (short)wide, (unsigned short)wide);
    printf("%d %u\n", (int)wide, (unsigned)wide);
    // Widening copies the sign of a signed source, whatever the target.
    sc = -2;
    i = -3;
    printf("%u %llu %lu\n", (unsigned)sc, (unsigned long long)sc, (unsigned long)i);
    uc = 254;
    u = 0xFFFFFFFDu;
    printf("%d %lld %lld\n", (int)uc, (long long)uc, (long long)u);
    printf("%lld %lld\n", (long long)(int)u, (long long)(unsigned short)i);

    // Products.
    printf("%d %u %d\n", 46341 * 46341, 65537u * 65537u, 100000 * 100000);
    printf("%lld %llu\n", 3037000500LL * 3037000500LL, 4294967297ULL * 4294967297ULL);
    // The product of two unsigned short is an int.
    us = 65535;
    printf("%d\n", us * us);
    uc = 200;
    uc = uc + uc;
    printf("%d %d\n", uc, (unsigned char)(200 + 200) == uc);
    printf("%d %d\n", -2147483647 - 1, -(-2147483647 - 1));
    return 0;
}

// out: 128 256 32768 65536
// out: -128 0 -32768 0
// out: -2147483648 0 -9223372036854775808 0 -9223372036854775808 0
// out: 127 255 32767 65535
// out: 2147483647 4294967295 9223372036854775807 18446744073709551615 9223372036854775807 18446744073709551615
// out: -16 240 -8464 57072
// out: -1698898192 2596069104
// out: 4294967294 18446744073709551614 18446744073709551613
// out: 254 254 4294967293
// out: -3 65533
// out: -2147479015 131073 1410065408
// out: -9223372036709301616 8589934593
// out: -131071
// out: 144 1
// out: -2147483648 -2147483648
