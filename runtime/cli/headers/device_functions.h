// Device functions that clang's headers lack.

#ifndef RECONVERGE_DEVICE_FUNCTIONS_H
#define RECONVERGE_DEVICE_FUNCTIONS_H

#if defined(__CUDA__) && defined(__cplusplus)

// Mathematics without the final letter, for `float`, on the device. The host has its own.
static __device__ __forceinline__ float rsqrt(float a) { return rsqrtf(a); }
static __device__ __forceinline__ float rcbrt(float a) { return rcbrtf(a); }
static __device__ __forceinline__ float sinpi(float a) { return sinpif(a); }
static __device__ __forceinline__ float cospi(float a) { return cospif(a); }
static __device__ __forceinline__ void sincospi(float a, float *s, float *c) { sincospif(a, s, c); }
static __device__ __forceinline__ void sincos(float a, float *s, float *c) { sincosf(a, s, c); }
static __device__ __forceinline__ float erfcinv(float a) { return erfcinvf(a); }
static __device__ __forceinline__ float erfinv(float a) { return erfinvf(a); }
static __device__ __forceinline__ float normcdfinv(float a) { return normcdfinvf(a); }
static __device__ __forceinline__ float normcdf(float a) { return normcdff(a); }
static __device__ __forceinline__ float erfcx(float a) { return erfcxf(a); }

// For `float`, the functions that clang's headers declare without the final letter, and do not define.
#define RECONVERGE_FLOAT(name) static __device__ __forceinline__ float name(float a) { return name##f(a); }
RECONVERGE_FLOAT(acosh)
RECONVERGE_FLOAT(asinh)
RECONVERGE_FLOAT(atanh)
RECONVERGE_FLOAT(cbrt)
RECONVERGE_FLOAT(erf)
RECONVERGE_FLOAT(erfc)
RECONVERGE_FLOAT(exp2)
RECONVERGE_FLOAT(expm1)
RECONVERGE_FLOAT(lgamma)
RECONVERGE_FLOAT(log1p)
RECONVERGE_FLOAT(log2)
RECONVERGE_FLOAT(logb)
RECONVERGE_FLOAT(nearbyint)
RECONVERGE_FLOAT(rint)
RECONVERGE_FLOAT(round)
RECONVERGE_FLOAT(tgamma)
RECONVERGE_FLOAT(trunc)
#undef RECONVERGE_FLOAT
#define RECONVERGE_FLOAT(name) \
    static __device__ __forceinline__ float name(float a, float b) { return name##f(a, b); }
RECONVERGE_FLOAT(copysign)
RECONVERGE_FLOAT(fdim)
RECONVERGE_FLOAT(fmax)
RECONVERGE_FLOAT(fmin)
RECONVERGE_FLOAT(hypot)
RECONVERGE_FLOAT(nextafter)
RECONVERGE_FLOAT(remainder)
#undef RECONVERGE_FLOAT
static __device__ __forceinline__ float fma(float a, float b, float c) { return fmaf(a, b, c); }
static __device__ __forceinline__ float scalbn(float a, int n) { return scalbnf(a, n); }
static __device__ __forceinline__ float scalbln(float a, long n) { return scalblnf(a, n); }
static __device__ __forceinline__ float remquo(float a, float b, int *n) { return remquof(a, b, n); }
static __device__ __forceinline__ int ilogb(float a) { return ilogbf(a); }
static __device__ __forceinline__ long lrint(float a) { return lrintf(a); }
static __device__ __forceinline__ long lround(float a) { return lroundf(a); }
static __device__ __forceinline__ long long llrint(float a) { return llrintf(a); }
static __device__ __forceinline__ long long llround(float a) { return llroundf(a); }

static inline __host__ float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static inline __host__ double rsqrt(double a) { return 1.0 / sqrt(a); }
static inline __host__ float rsqrt(float a) { return 1.0f / sqrtf(a); }
static inline __host__ float rcbrtf(float a) { return 1.0f / cbrtf(a); }
static inline __host__ double rcbrt(double a) { return 1.0 / cbrt(a); }

// Minimum and maximum on the host.
static inline __host__ unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
static inline __host__ unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
#define RECONVERGE_EXTREME(T, name, clang, as) \
    static inline __device__ T name(T a, T b) { return (T)clang((as)a, (as)b); }
static inline __host__ int min(int a, int b) { return a < b ? a : b; }
static inline __host__ int max(int a, int b) { return a > b ? a : b; }
#define RECONVERGE_EXTREMES(T, least, most, as) \
    static inline __host__ T min(T a, T b) { return a < b ? a : b; } \
    static inline __host__ T max(T a, T b) { return a > b ? a : b; } \
    RECONVERGE_EXTREME(T, min, least, as) \
    RECONVERGE_EXTREME(T, max, most, as)
RECONVERGE_EXTREMES(unsigned int, umin, umax, unsigned int)
RECONVERGE_EXTREMES(long, llmin, llmax, long long)
RECONVERGE_EXTREMES(unsigned long, ullmin, ullmax, unsigned long long)
RECONVERGE_EXTREMES(long long, llmin, llmax, long long)
RECONVERGE_EXTREMES(unsigned long long, ullmin, ullmax, unsigned long long)
#undef RECONVERGE_EXTREMES
#undef RECONVERGE_EXTREME
#define RECONVERGE_EXTREMES(side) \
    static inline side float min(float a, float b) { return fminf(a, b); } \
    static inline side double min(double a, double b) { return fmin(a, b); } \
    static inline side double min(float a, double b) { return fmin((double)a, b); } \
    static inline side double min(double a, float b) { return fmin(a, (double)b); } \
    static inline side float max(float a, float b) { return fmaxf(a, b); } \
    static inline side double max(double a, double b) { return fmax(a, b); } \
    static inline side double max(float a, double b) { return fmax((double)a, b); } \
    static inline side double max(double a, float b) { return fmax(a, (double)b); } \
    static inline side unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); } \
    static inline side unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); } \
    static inline side unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); } \
    static inline side unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
RECONVERGE_EXTREMES(__host__)
RECONVERGE_EXTREMES(__device__)
#undef RECONVERGE_EXTREMES

// Cache operators of loads and stores.
#define RECONVERGE_CACHED(T) \
    static __device__ __forceinline__ T __ldcg(const T *p) { return *p; } \
    static __device__ __forceinline__ T __ldca(const T *p) { return *p; } \
    static __device__ __forceinline__ T __ldcs(const T *p) { return *p; } \
    static __device__ __forceinline__ T __ldlu(const T *p) { return *p; } \
    static __device__ __forceinline__ T __ldcv(const T *p) { return *(const volatile T *)p; } \
    static __device__ __forceinline__ void __stwb(T *p, T v) { *p = v; } \
    static __device__ __forceinline__ void __stcg(T *p, T v) { *p = v; } \
    static __device__ __forceinline__ void __stcs(T *p, T v) { *p = v; } \
    static __device__ __forceinline__ void __stwt(T *p, T v) { *p = v; }
RECONVERGE_CACHED(char)
RECONVERGE_CACHED(signed char)
RECONVERGE_CACHED(unsigned char)
RECONVERGE_CACHED(short)
RECONVERGE_CACHED(unsigned short)
RECONVERGE_CACHED(int)
RECONVERGE_CACHED(unsigned int)
RECONVERGE_CACHED(long)
RECONVERGE_CACHED(unsigned long)
RECONVERGE_CACHED(long long)
RECONVERGE_CACHED(unsigned long long)
RECONVERGE_CACHED(float)
RECONVERGE_CACHED(double)
#undef RECONVERGE_CACHED


// Four products of bytes.
static __device__ __forceinline__ int __dp4a(int a, int b, int c)
{
    int d;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
static __device__ __forceinline__ unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    unsigned int d;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

// The bits of half precision, as the helper headers take them.
static __device__ __forceinline__ unsigned short __float_to_half(float a)
{
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(a));
    return bits;
}
static __device__ __forceinline__ float __half_to_float(unsigned short bits)
{
    float a;
    asm("cvt.f32.f16 %0, %1;" : "=f"(a) : "h"(bits));
    return a;
}
static inline __host__ unsigned short __float_to_half(float a)
{
    _Float16 half = (_Float16)a;
    unsigned short bits;
    memcpy(&bits, &half, 2);
    return bits;
}
static inline __host__ float __half_to_float(unsigned short bits)
{
    _Float16 half;
    memcpy(&half, &bits, 2);
    return (float)half;
}
static __device__ __forceinline__ int __float_to_int(float a) { return __float2int_rz(a); }
static __device__ __forceinline__ unsigned int __float_to_uint(float a) { return __float2uint_rz(a); }
static inline __host__ int __float_to_int(float a)
{
    return a != a ? 0 : a >= 2147483648.0f ? INT_MAX : a < -2147483648.0f ? INT_MIN : (int)a;
}
static inline __host__ unsigned int __float_to_uint(float a)
{
    return !(a > 0) ? 0 : a >= 4294967296.0f ? UINT_MAX : (unsigned int)a;
}

#endif

#endif
