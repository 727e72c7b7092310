// Compound assignment computes in the common type and converts back, on every narrow type.
#include <stdio.h>

int next_index = 0;
int next() { return next_index++; }

int main()
{
    unsigned char uc = 250;
    uc += 10;
    printf("%d\n", uc);
    uc -= 10;
    printf("%d\n", uc);
    uc *= 2;
    printf("%d\n", uc);
    uc /= 3;
    printf("%d\n", uc);
    uc %= 100;
    printf("%d\n", uc);
    uc <<= 3;
    printf("%d\n", uc);
    uc >>= 2;
    printf("%d\n", uc);
    uc ^= 0x1FF;
    printf("%d\n", uc);
    uc |= 0x300;
    printf("%d\n", uc);
    uc &= ~8;
    printf("%d\n", uc);
    signed char sc = 100;
    sc += 100;
    printf("%d\n", sc);
    sc /= 2;
    printf("%d\n", sc);
    sc >>= 1;
    printf("%d\n", sc);
    short s = 30000;
    s += s;
    printf("%d\n", s);
    s *= -2;
    printf("%d\n", s);
    unsigned short us = 1;
    us -= 2;
    printf("%d\n", us);
    us *= us;
    printf("%d\n", us);
    int i = 10;
    i -= 20u;
    printf("%d\n", i);
    i /= 3u;
    printf("%d\n", i);
    i = -10;
    i += 2147483648LL;
    printf("%d\n", i);
    unsigned u = 5;
    u -= 6;
    printf("%u\n", u);
    u -= 1.5;
    printf("%u\n", u / 2);
    long long ll = 1;
    ll <<= 40;
    ll |= 1;
    printf("%lld\n", ll);
    ll *= 0.5f;
    printf("%lld\n", ll);
    unsigned long long ull = 7;
    ull -= 8;
    printf("%llx\n", ull);
    float f = 7;
    f /= 2;
    printf("%g\n", f);
    f += 1;
    printf("%g\n", f);
    // The place is evaluated once.
    int a[4] = {10, 20, 30, 40};
    a[next()] += 5;
    a[next()] *= 2;
    a[next()]++;
    ++a[next()];
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], next_index);
    int *p = a;
    *p++ += 1;
    *++p -= 1;
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], (int)(p - a));
    i = 3;
    i += i += 2;
    printf("%d\n", i);
    int x = (uc = 300);
    printf("%d\n", x);
    x = uc++;
    printf("%d %d\n", x, uc);
    uc = 255;
    x = ++uc;
    printf("%d %d\n", x, uc);
    return 0;
}

// out: 4
// out: 250
// out: 244
// out: 81
// out: 81
// out: 136
// out: 34
// out: 221
// out: 221
// out: 213
// out: -56
// out: -28
// out: -14
// out: -5536
// out: 11072
// out: 65535
// out: 1
// out: -10
// out: 1431655762
// out: 2147483638
// out: 4294967295
// out: 2147483646
// out: 1099511627777
// out: 549755813888
// out: ffffffffffffffff
// out: 3.5
// out: 4.5
// out: 15 40 31 41 4
// out: 16 40 30 41 2
// out: 10
// out: 44
// out: 44 45
// out: 0 0
