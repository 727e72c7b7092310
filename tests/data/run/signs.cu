// Comparisons and divisions between signed and unsigned operands of every width.
#include <stdio.h>

int main()
{
    int i = -1;
    unsigned u = 1;
    long long ll = -1;
    unsigned long long ull = 1;
    short s = -1;
    unsigned short us = 1;
    unsigned char uc = 255;
    char c = -1;

    printf("%d %d %d\n", i < (int)u, i < u, i > u);
    printf("%d %d\n", ll < u, ll < ull);
    printf("%d %d %d\n", s < us, s < u, us > s);
    printf("%d %d %d\n", uc == c, c < uc, (unsigned char)c == uc);
    printf("%d %d\n", i == 0xFFFFFFFF, i == 0xFFFFFFFFFFLL);
    printf("%d %d\n", sizeof(int) > -1, (int)sizeof(int) > -1);

    printf("%d %d %d %d\n", 7 / 2, -7 / 2, 7 / -2, -7 / -2);
    printf("%d %d %d %d\n", 7 % 2, -7 % 2, 7 % -2, -7 % -2);
    printf("%u %u\n", -7 / 2u, -7 % 2u);
    printf("%lld %lld\n", -7LL / 2, -7LL % 2u);
    printf("%u %u\n", 0x80000000u / 3, 0x80000000u % 10);
    printf("%llu %llu\n", 0x8000000000000000ULL / 10, 0x8000000000000000ULL % 10);
    printf("%d %d\n", s / 2, (unsigned short)s / 2);
    printf("%d %d\n", 1 - u < 0, 1 - 2 * u < 1);
    printf("%d\n", (unsigned short)(us - 2) > 0);
    printf("%lld %lld\n", (long long)(u - 2), (long long)(us - 2));
    unsigned down = 3;
    int rounds = 0;
    while (down-- > 0)
        rounds++;
    printf("%d %u\n", rounds, down);
    return 0;
}

// out: 1 0 1
// out: 1 0
// out: 1 0 1
// out: 0 1 1
// out: 1 0
// out: 0 1
// out: 3 -3 -3 3
// out: 1 -1 1 -1
// out: 2147483644 1
// out: -3 -1
// out: 715827882 8
// out: 922337203685477580 8
// out: 0 32767
// out: 0 0
// out: 1
// out: 4294967295 -1
// out: 3 4294967295
