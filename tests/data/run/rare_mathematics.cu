// The rarer mathematical functions, on both sides, against values from mpmath (40 digits), and those
// whose results are exact.
#include <math.h>
#include <stdio.h>

__host__ __device__ void check(int *bad, int number, double d, float f, float g, double expected)
{
    double size = fabs(expected);
    bad[number] |= !(fabs(d - expected) <= 1e-13 * size) || !(fabs(f - expected) <= 1e-6 * size) || f != g;
}

__host__ __device__ void all(int *bad)
{
    check(bad, 0, erfc(-1.5), erfcf(-1.5f), erfc(-1.5f), 1.9661051464753108);
    check(bad, 1, erfc(0.25), erfcf(0.25f), erfc(0.25f), 0.7236736098317631);
    check(bad, 2, erfc(3.0), erfcf(3.0f), erfc(3.0f), 2.209049699858544e-05);
    check(bad, 3, lgamma(0.3), lgammaf(0.3f), lgamma(0.3f), 1.0957979948180756);
    check(bad, 4, lgamma(4.5), lgammaf(4.5f), lgamma(4.5f), 2.4537365708424423);
    check(bad, 5, lgamma(-1.5), lgammaf(-1.5f), lgamma(-1.5f), 0.860047015376481);
    check(bad, 6, tgamma(0.3), tgammaf(0.3f), tgamma(0.3f), 2.991568987687591);
    check(bad, 7, tgamma(4.5), tgammaf(4.5f), tgamma(4.5f), 11.631728396567448);
    check(bad, 8, tgamma(-1.5), tgammaf(-1.5f), tgamma(-1.5f), 2.363271801207355);
    check(bad, 9, acosh(1.25), acoshf(1.25f), acosh(1.25f), 0.6931471805599453);
    check(bad, 10, acosh(3.0), acoshf(3.0f), acosh(3.0f), 1.762747174039086);
    check(bad, 11, acosh(100.0), acoshf(100.0f), acosh(100.0f), 5.298292365610485);
    check(bad, 12, asinh(-2.0), asinhf(-2.0f), asinh(-2.0f), -1.4436354751788103);
    check(bad, 13, asinh(0.25), asinhf(0.25f), asinh(0.25f), 0.24746646154726346);
    check(bad, 14, asinh(50.0), asinhf(50.0f), asinh(50.0f), 4.605270170991424);
    check(bad, 15, atanh(-0.75), atanhf(-0.75f), atanh(-0.75f), -0.9729550745276566);
    check(bad, 16, atanh(0.125), atanhf(0.125f), atanh(0.125f), 0.12565721414045303);
    check(bad, 17, atanh(0.9375), atanhf(0.9375f), atanh(0.9375f), 1.7169936022425731);
    check(bad, 18, j0(0.5), j0f(0.5f), j0(0.5f), 0.9384698072408129);
    check(bad, 19, j0(3.0), j0f(3.0f), j0(3.0f), -0.26005195490193345);
    check(bad, 20, j0(20.0), j0f(20.0f), j0(20.0f), 0.16702466434058316);
    check(bad, 21, j1(0.5), j1f(0.5f), j1(0.5f), 0.2422684576748739);
    check(bad, 22, j1(3.0), j1f(3.0f), j1(3.0f), 0.3390589585259365);
    check(bad, 23, j1(20.0), j1f(20.0f), j1(20.0f), 0.06683312417585005);
    check(bad, 24, y0(0.5), y0f(0.5f), y0(0.5f), -0.44451873350670656);
    check(bad, 25, y0(3.0), y0f(3.0f), y0(3.0f), 0.3768500100127904);
    check(bad, 26, y0(20.0), y0f(20.0f), y0(20.0f), 0.06264059680938383);
    check(bad, 27, y1(0.5), y1f(0.5f), y1(0.5f), -1.471472392670243);
    check(bad, 28, y1(3.0), y1f(3.0f), y1(3.0f), 0.3246744247918);
    check(bad, 29, y1(20.0), y1f(20.0f), y1(20.0f), -0.1655116143625213);
    check(bad, 30, sinpi(0.375), sinpif(0.375f), sinpi(0.375f), 0.9238795325112867);
    check(bad, 31, sinpi(-2.25), sinpif(-2.25f), sinpi(-2.25f), -0.7071067811865476);
    check(bad, 32, sinpi(7.0625), sinpif(7.0625f), sinpi(7.0625f), -0.19509032201612828);
    check(bad, 33, cospi(0.375), cospif(0.375f), cospi(0.375f), 0.3826834323650898);
    check(bad, 34, cospi(-2.25), cospif(-2.25f), cospi(-2.25f), 0.7071067811865476);
    check(bad, 35, cospi(7.0625), cospif(7.0625f), cospi(7.0625f), -0.9807852804032304);
    check(bad, 36, erfcx(-1.0), erfcxf(-1.0f), erfcx(-1.0f), 5.008980080762283);
    check(bad, 37, erfcx(0.5), erfcxf(0.5f), erfcx(0.5f), 0.6156903441929259);
    check(bad, 38, erfcx(40.0), erfcxf(40.0f), erfcx(40.0f), 0.014100335983377814);
    check(bad, 39, erfinv(0.125), erfinvf(0.125f), erfinv(0.125f), 0.11123545184094996);
    check(bad, 40, erfinv(-0.75), erfinvf(-0.75f), erfinv(-0.75f), -0.8134198475976185);
    check(bad, 41, erfinv(0.998046875), erfinvf(0.998046875f), erfinv(0.998046875f), 2.190099968353768);
    check(bad, 42, erfcinv(0.0009765625), erfcinvf(0.0009765625f), erfcinv(0.0009765625f), 2.331467773621948);
    check(bad, 43, erfcinv(0.75), erfcinvf(0.75f), erfcinv(0.75f), 0.2253120550121781);
    check(bad, 44, erfcinv(1.5), erfcinvf(1.5f), erfcinv(1.5f), -0.4769362762044699);
    check(bad, 45, normcdf(-6.0), normcdff(-6.0f), normcdf(-6.0f), 9.86587645037698e-10);
    check(bad, 46, normcdf(-0.5), normcdff(-0.5f), normcdf(-0.5f), 0.3085375387259869);
    check(bad, 47, normcdf(2.0), normcdff(2.0f), normcdf(2.0f), 0.9772498680518208);
    check(bad, 48, normcdfinv(0.0009765625), normcdfinvf(0.0009765625f), normcdfinv(0.0009765625f), -3.0972690781987846);
    check(bad, 49, normcdfinv(0.375), normcdfinvf(0.375f), normcdfinv(0.375f), -0.31863936396437514);
    check(bad, 50, normcdfinv(0.875), normcdfinvf(0.875f), normcdfinv(0.875f), 1.150349380376008);
    check(bad, 51, rcbrt(-3.0), rcbrtf(-3.0f), rcbrt(-3.0f), -0.6933612743506347);
    check(bad, 52, rcbrt(0.25), rcbrtf(0.25f), rcbrt(0.25f), 1.5874010519681996);
    check(bad, 53, rcbrt(10.0), rcbrtf(10.0f), rcbrt(10.0f), 0.46415888336127786);
    check(bad, 54, logb(0.75), logbf(0.75f), logb(0.75f), -1.0);
    check(bad, 55, logb(-9.0), logbf(-9.0f), logb(-9.0f), 3.0);
    check(bad, 56, logb(1000.0), logbf(1000.0f), logb(1000.0f), 9.0);
    check(bad, 57, remainder(7.5, 2.0), remainderf(7.5f, 2.0f), remainder(7.5f, 2.0f), -0.5);
    check(bad, 58, remainder(-8.25, 3.0), remainderf(-8.25f, 3.0f), remainder(-8.25f, 3.0f), 0.75);
    check(bad, 59, remainder(100.0, 7.5), remainderf(100.0f, 7.5f), remainder(100.0f, 7.5f), 2.5);
    check(bad, 60, fdim(3.0, 1.5), fdimf(3.0f, 1.5f), fdim(3.0f, 1.5f), 1.5);
    check(bad, 61, fdim(1.0, 2.0), fdimf(1.0f, 2.0f), fdim(1.0f, 2.0f), 0.0);
    check(bad, 62, fdim(-1.0, -4.0), fdimf(-1.0f, -4.0f), fdim(-1.0f, -4.0f), 3.0);
    check(bad, 63, rhypot(3.0, 4.0), rhypotf(3.0f, 4.0f), rhypot(3.0f, 4.0f), 0.2);
    check(bad, 64, rhypot(1.0, 1.0), rhypotf(1.0f, 1.0f), rhypot(1.0f, 1.0f), 0.7071067811865476);
    check(bad, 65, rhypot(-5.0, 0.5), rhypotf(-5.0f, 0.5f), rhypot(-5.0f, 0.5f), 0.19900743804199783);
    check(bad, 66, jn(2, 1.5), jnf(2, 1.5f), jn(2, 1.5f), 0.23208767214421472);
    check(bad, 67, yn(2, 1.5), ynf(2, 1.5f), yn(2, 1.5f), -0.9321937597629739);
    check(bad, 68, jn(5, 10.0), jnf(5, 10.0f), jn(5, 10.0f), -0.23406152818679363);
    check(bad, 69, yn(5, 10.0), ynf(5, 10.0f), yn(5, 10.0f), 0.13540304768936232);
    check(bad, 70, jn(-3, 2.0), jnf(-3, 2.0f), jn(-3, 2.0f), -0.12894324947440206);
    check(bad, 71, yn(-3, 2.0), ynf(-3, 2.0f), yn(-3, 2.0f), 1.1277837768404277);
    check(bad, 72, norm3d(1.0, 2.0, 2.0), norm3df(1.0f, 2.0f, 2.0f), norm3df(1.0f, 2.0f, 2.0f), 3.0);
    check(bad, 73, rnorm3d(1.0, 2.0, 2.0), rnorm3df(1.0f, 2.0f, 2.0f), rnorm3df(1.0f, 2.0f, 2.0f), 0.3333333333333333);
    check(bad, 74, norm3d(0.5, -3.0, 7.0), norm3df(0.5f, -3.0f, 7.0f), norm3df(0.5f, -3.0f, 7.0f), 7.632168761236874);
    check(bad, 75, rnorm3d(0.5, -3.0, 7.0), rnorm3df(0.5f, -3.0f, 7.0f), rnorm3df(0.5f, -3.0f, 7.0f), 0.13102435641608368);

    // Exact ones.
    int e = 0, q = 0;
    double s, c, w;
    float fs, fc, fw;
    bad[200] |= frexp(-12.0, &e) != -0.75 || e != 4;
    bad[200] |= frexp(0.0f, &e) != 0 || e != 0;
    bad[201] |= frexpf(4e-45f, &e) != 0.75f || e != -147;
    bad[202] |= ldexp(0.75, 4) != 12 || ldexpf(3.0f, -150) != 2.8e-45f || scalbn(1.0f, 127) != 1.7014118346046923e38f;
    bad[203] |= modf(-3.25, &w) != -0.25 || w != -3;
    bad[203] |= modff(7.0f, &fw) != 0 || fw != 7;
    bad[203] |= modf(-INFINITY, &w) != 0 || !signbit(modf(-INFINITY, &w)) || !isinf(w);
    bad[204] |= remquo(29.0, 3.0, &q) != -1 || q != 10;
    bad[204] |= remquof(-29.0f, 3.0f, &q) != 1 || q != -10;
    bad[205] |= ilogb(0.75) != -1 || ilogbf(0.0f) != -2147483647 - 1 || ilogb(INFINITY) != 2147483647;
    bad[206] |= logb(0.0) != -INFINITY || logbf(-INFINITY) != INFINITY || !isnan(logb(NAN));
    bad[207] |= lrint(2.5) != 2 || llrintf(-3.5f) != -4 || lround(2.5) != 3 || llroundf(-2.5f) != -3;
    bad[207] |= lrint(1e10) != 10000000000L || lroundf(1e18f) != 999999984306749440L;
    bad[208] |= nextafter(1.0, 2.0) != 1.0000000000000002 || nextafterf(0.0f, -1.0f) != -1e-45f;
    bad[209] |= !signbit(-0.0) || signbit(0.0f) || !signbit(-1.0f) || signbit(NAN);
    bad[210] |= sinpi(3.0) != 0 || cospi(2.5f) != 0 || cospif(1.0f) != -1;
    bad[211] |= !isnan(fdim(NAN, 1.0)) || fdimf(INFINITY, INFINITY) != 0;
    bad[212] |= erfinv(1.0) != INFINITY || normcdf(-INFINITY) != 0 || tgamma(5.0) != 24;
    sincos(0.5, &s, &c);
    sincosf(0.5f, &fs, &fc);
    bad[213] |= s != sin(0.5) || c != cos(0.5) || fs != sinf(0.5f) || fc != cosf(0.5f);
    sincospi(0.25, &s, &c);
    sincospif(1.5f, &fs, &fc);
    bad[214] |= s != sinpi(0.25) || c != cospi(0.25) || fs != -1 || fc != 0;
    // Powers of two are exact.
    for (int i = -149; i < 128; i++)
        bad[215] |= exp2f(i) != ldexpf(1, i) || log2f(ldexpf(1, i)) != i || powf(2, i) != ldexpf(1, i);
    for (int i = -1074; i < 1024; i += 3)
        bad[216] |= exp2((double)i) != ldexp(1.0, i) || log2(ldexp(1.0, i)) != i || pow(2.0, (double)i) != ldexp(1.0, i);
}

__global__ void k(int *bad)
{
    float fs, fc;
    all(bad);
    __sincosf(0.5f, &fs, &fc);
    bad[217] |= fs != __sinf(0.5f) || fc != __cosf(0.5f);
    for (int i = -149; i < 128; i++)
        bad[218] |= __powf(2, i) != ldexpf(1, i) || (int)__powf(2, i & 15) != 1 << (i & 15);
}

int main()
{
    int here[256] = {}, there[256], *bad, count = 0;
    all(here);
    cudaMalloc(&bad, sizeof there);
    k<<<1, 1>>>(bad);
    cudaMemcpy(there, bad, sizeof there, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++) {
        if (here[i] || there[i])
            printf("%d is wrong: %d %d\n", i, here[i], there[i]);
        count += here[i] | there[i];
    }
    printf("%d wrong\n", count);
    return 0;
}

// out: 0 wrong
