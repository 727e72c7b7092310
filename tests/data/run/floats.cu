// float and double: where each rounds, conversions in range, special values.
#include <math.h>
#include <stdio.h>

int main()
{
    float third = 1.0f / 3.0f;
    double exact = 1.0 / 3.0;
    printf("%.9f %.17f\n", third, exact);
    printf("%d %d\n", third == 1.0 / 3.0, third == (float)(1.0 / 3.0));
    // 0.1f + 0.2f happens in float, 0.1f + 0.2 in double.
    printf("%.9g %.17g %.17g\n", 0.1f + 0.2f, 0.1f + 0.2, 0.1 + 0.2);
    float f = 16777216.0f;
    printf("%.1f %.1f %.1f\n", f + 1.0f, f + 1.0f + 1.0f, f + 2.0f);
    printf("%.1f\n", f + 1.0);
    int big = 16777217;
    printf("%.1f %.1f\n", (float)big, (double)big);
    printf("%.1f %.1f\n", (float)2147483647, (float)4294967295u);
    printf("%.1f %.1f\n", (double)9223372036854775807LL, (float)0xFFFFFFFFFFFFFFFFULL);
    printf("%.1f\n", (float)-9007199791611905LL);

    printf("%d %d %d %d\n", (int)2.9f, (int)-2.9f, (int)2.5, (int)-0.99);
    printf("%u %lld %llu\n", (unsigned)3000000000.0f, (long long)-1e18, (unsigned long long)1e19);
    printf("%d %d\n", (char)65.7f, (short)-1234.5);
    printf("%d\n", (unsigned char)200.9);

    float inf = 1.0f / 0.0f, nan = inf - inf;
    printf("%f %f %f\n", inf, -inf, 1.0f / inf);
    printf("%d %d %d %d\n", nan == nan, nan != nan, nan < 1.0f, !(nan >= 1.0f));
    printf("%d %d\n", inf > 3.4e38f, -inf < inf);
    printf("%g %g\n", 0.0f, -0.0f);
    printf("%d %g\n", 0.0f == -0.0f, 1.0f / -0.0f);
    float tiny = 1.4e-45f;
    printf("%g %g %g\n", tiny, tiny / 2, tiny * 0.75f);
    printf("%g %g\n", 1e38f * 10.0f, 1e38 * 10.0);
    printf("%.9g %.9g\n", 3.4028235e38f, (float)1e-40);

    float sum = 0;
    double precise = 0;
    for (int i = 0; i < 1000; i++) {
        sum += 0.1f;
        precise += 0.1f;
    }
    printf("%.6f %.6f\n", sum, precise);
    float x = 1.5f;
    x += 1e-9;
    x *= 3;
    x -= 1;
    x /= 2;
    printf("%g\n", x);
    int n = 7;
    n *= 1.5;
    printf("%d\n", n);
    n /= 0.3f;
    printf("%d\n", n);
    n += 0.99;
    printf("%d\n", n);
    x = 2.5f;
    x++;
    printf("%g\n", x);
    printf("%.8f %.16f\n", sqrtf(2.0f), sqrt(2.0));
    printf("%g %g %g %g\n", floor(-1.5), ceil(-1.5), trunc(-1.5), round(-1.5));
    printf("%g %g %g\n", rint(2.5), rint(3.5), fabs(-3.25));
    printf("%g %g\n", fmod(-7.5, 2.0), fmaf(2.0f, 3.0f, 4.0f));
    printf("%.9g\n", fmaf(1.0f + 1.0f / 4096, 1.0f + 1.0f / 4096, -1.0f));
    printf("%d %d %d\n", 1 / 2 == 0, 1 / 2.0 == 0.5, 7 / 2 * 2.0f == 6.0f);
    return 0;
}

// out: 0.333333343 0.33333333333333331
// out: 0 1
// out: 0.300000012 0.30000000149011613 0.30000000000000004
// out: 16777216.0 16777216.0 16777218.0
// out: 16777217.0
// out: 16777216.0 16777217.0
// out: 2147483648.0 4294967296.0
// out: 9223372036854775808.0 18446744073709551616.0
// out: -9007200328482816.0
// out: 2 -2 2 0
// out: 3000000000 -1000000000000000000 10000000000000000000
// out: 65 -1234
// out: 200
// out: inf -inf 0.000000
// out: 0 1 0 1
// out: 1 1
// out: 0 -0
// out: 1 -inf
// out: 1.4013e-45 0 1.4013e-45
// out: inf 1e+39
// out: 3.40282347e+38 9.9999461e-41
// out: 99.999046 100.000001
// out: 1.75
// out: 10
// out: 33
// out: 33
// out: 3.5
// out: 1.41421354 1.4142135623730951
// out: -2 -1 -1 -2
// out: 2 4 3.25
// out: -1.5 10
// out: 0.000488340855
// out: 1 1 1
