// Numbers of half precision: kept in 2 bytes, computed as floats, each result rounded once, to the nearest, halves to
// even. A float has more than twice the digits, so that sums, products, quotients and roots are the rounded exact ones.

#define __HALF_FUNCTION static inline __host__ __device__

struct __half {
    unsigned short __x;
    __half() = default;
    __host__ __device__ __half(float a) : __x(__float_to_half(a)) {}
    __host__ __device__ __half(double a) : __x(__float_to_half(__half_odd(a))) {}
    __host__ __device__ __half(int a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(unsigned int a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(long a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(unsigned long a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(long long a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(unsigned long long a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ operator float() const { return __half_to_float(__x); }
    // A float that rounds as the double does: of the two around that the odd one.
    static __host__ __device__ float __half_odd(double a)
    {
        float near = (float)a;
        if (near != a && a == a) {
            unsigned int *bits = (unsigned int *)&near;
            if ((*bits & 1) == 0)
                *bits += fabs((double)near) < fabs(a) ? 1 : -1;
        }
        return near;
    }
};
typedef __half half;

struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(const __half &x, const __half &y) : x(x), y(y) {}
};
typedef __half2 half2;

// Conversions.

__HALF_FUNCTION __half __ushort_as_half(unsigned short bits)
{
    __half a;
    a.__x = bits;
    return a;
}
__HALF_FUNCTION __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
__HALF_FUNCTION unsigned short __half_as_ushort(__half a) { return a.__x; }
__HALF_FUNCTION short __half_as_short(__half a) { return (short)a.__x; }
__HALF_FUNCTION __half __float2half(float a) { return __half(a); }
__HALF_FUNCTION __half __float2half_rn(float a) { return __half(a); }
__HALF_FUNCTION __half __double2half(double a) { return __half(a); }
__HALF_FUNCTION __half __int2half_rn(int a) { return __half(a); }
__HALF_FUNCTION __half __uint2half_rn(unsigned int a) { return __half(a); }
__HALF_FUNCTION __half __short2half_rn(short a) { return __half((int)a); }
__HALF_FUNCTION __half __ushort2half_rn(unsigned short a) { return __half((int)a); }
__HALF_FUNCTION __half __ll2half_rn(long long a) { return __half(a); }
__HALF_FUNCTION __half __ull2half_rn(unsigned long long a) { return __half(a); }
__HALF_FUNCTION float __half2float(__half a) { return __half_to_float(a.__x); }
__HALF_FUNCTION int __half2int_rz(__half a) { return (int)__half2float(a); }
__HALF_FUNCTION int __half2int_rn(__half a) { return (int)rintf(__half2float(a)); }
__HALF_FUNCTION int __half2int_rd(__half a) { return (int)floorf(__half2float(a)); }
__HALF_FUNCTION int __half2int_ru(__half a) { return (int)ceilf(__half2float(a)); }
__HALF_FUNCTION unsigned int __half2uint_rz(__half a) { return (unsigned int)__half2float(a); }
__HALF_FUNCTION unsigned int __half2uint_rn(__half a) { return (unsigned int)rintf(__half2float(a)); }

__HALF_FUNCTION __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
__HALF_FUNCTION __half2 make_half2(__half x, __half y) { return __half2(x, y); }
__HALF_FUNCTION __half2 __half2half2(__half a) { return __half2(a, a); }
__HALF_FUNCTION __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
__HALF_FUNCTION __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
__HALF_FUNCTION __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
__HALF_FUNCTION float2 __half22float2(__half2 a) { return make_float2(__half2float(a.x), __half2float(a.y)); }
__HALF_FUNCTION __half __low2half(__half2 a) { return a.x; }
__HALF_FUNCTION __half __high2half(__half2 a) { return a.y; }
__HALF_FUNCTION float __low2float(__half2 a) { return __half2float(a.x); }
__HALF_FUNCTION float __high2float(__half2 a) { return __half2float(a.y); }
__HALF_FUNCTION __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
__HALF_FUNCTION __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
__HALF_FUNCTION __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
__HALF_FUNCTION __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
__HALF_FUNCTION __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

// Arithmetic.

#define __HALF_TWO(op, op_assign, name, name2) \
    __HALF_FUNCTION __half name(__half a, __half b) { return __half(__half2float(a) op __half2float(b)); } \
    __HALF_FUNCTION __half2 name2(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); } \
    __HALF_FUNCTION __half operator op(const __half &a, const __half &b) { return name(a, b); } \
    __HALF_FUNCTION __half2 operator op(const __half2 &a, const __half2 &b) { return name2(a, b); } \
    __HALF_FUNCTION __half &operator op_assign(__half &a, const __half &b) { a = name(a, b); return a; } \
    __HALF_FUNCTION __half2 &operator op_assign(__half2 &a, const __half2 &b) { a = name2(a, b); return a; }

__HALF_TWO(+, +=, __hadd, __hadd2)
__HALF_TWO(-, -=, __hsub, __hsub2)
__HALF_TWO(*, *=, __hmul, __hmul2)
__HALF_TWO(/, /=, __hdiv, __h2div)

__HALF_FUNCTION __half __hadd_rn(__half a, __half b) { return __hadd(a, b); }
__HALF_FUNCTION __half __hsub_rn(__half a, __half b) { return __hsub(a, b); }
__HALF_FUNCTION __half __hmul_rn(__half a, __half b) { return __hmul(a, b); }
__HALF_FUNCTION __half __hneg(__half a) { return __ushort_as_half(a.__x ^ 0x8000); }
__HALF_FUNCTION __half __habs(__half a) { return __ushort_as_half(a.__x & 0x7fff); }
__HALF_FUNCTION __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
__HALF_FUNCTION __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
__HALF_FUNCTION __half operator-(const __half &a) { return __hneg(a); }
__HALF_FUNCTION __half2 operator-(const __half2 &a) { return __hneg2(a); }
__HALF_FUNCTION __half operator+(const __half &a) { return a; }
__HALF_FUNCTION __half2 operator+(const __half2 &a) { return a; }
__HALF_FUNCTION __half &operator++(__half &a) { a = __hadd(a, __half(1)); return a; }
__HALF_FUNCTION __half &operator--(__half &a) { a = __hsub(a, __half(1)); return a; }

// The product is exact in a double; the sum of that and a half differs from a half's middle where its rounding does.
__HALF_FUNCTION __half __hfma(__half a, __half b, __half c)
{
    const double product = (double)__half2float(a) * __half2float(b), addend = __half2float(c);
    double sum = product + addend;
    const double part = sum - product, lost = (product - (sum - part)) + (addend - part);
    if (lost != 0 && fabs(sum) < 1e6) {
        // Odd, so that it is on the exact sum's side of every middle.
        unsigned long long *bits = (unsigned long long *)&sum;
        if ((*bits & 1) == 0)
            *bits += (lost > 0) == (sum > 0) ? 1 : -1;
    }
    return __half(sum);
}
__HALF_FUNCTION __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

// Comparisons; those of pairs give 1 or 0 in each half, or say whether both hold.

#define __HALF_COMPARE(op, name) \
    __HALF_FUNCTION bool __h##name(__half a, __half b) { return __half2float(a) op __half2float(b); } \
    __HALF_FUNCTION __half2 __h##name##2(__half2 a, __half2 b) \
    { \
        return __half2(__half((int)__h##name(a.x, b.x)), __half((int)__h##name(a.y, b.y))); \
    } \
    __HALF_FUNCTION bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
    __HALF_FUNCTION bool operator op(const __half &a, const __half &b) { return __h##name(a, b); } \
    __HALF_FUNCTION bool operator op(const __half2 &a, const __half2 &b) { return __hb##name##2(a, b); }

__HALF_COMPARE(==, eq)
__HALF_COMPARE(!=, ne)
__HALF_COMPARE(<, lt)
__HALF_COMPARE(<=, le)
__HALF_COMPARE(>, gt)
__HALF_COMPARE(>=, ge)

__HALF_FUNCTION bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
__HALF_FUNCTION int __hisinf(__half a) { return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0; }
__HALF_FUNCTION __half __hmax(__half a, __half b) { return __half(fmaxf(__half2float(a), __half2float(b))); }
__HALF_FUNCTION __half __hmin(__half a, __half b) { return __half(fminf(__half2float(a), __half2float(b))); }
__HALF_FUNCTION __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
__HALF_FUNCTION __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }

// Functions.

#define __HALF_ONE(name, name2, f) \
    __HALF_FUNCTION __half name(__half a) { return __half(f(__half2float(a))); } \
    __HALF_FUNCTION __half2 name2(__half2 a) { return __half2(name(a.x), name(a.y)); }
#define __HALF_RECIPROCAL(a) 1.0f / (a)

__HALF_ONE(hsqrt, h2sqrt, sqrtf)
__HALF_ONE(hrsqrt, h2rsqrt, rsqrtf)
__HALF_ONE(hrcp, h2rcp, __HALF_RECIPROCAL)
__HALF_ONE(hexp, h2exp, expf)
__HALF_ONE(hexp2, h2exp2, exp2f)
__HALF_ONE(hexp10, h2exp10, exp10f)
__HALF_ONE(hlog, h2log, logf)
__HALF_ONE(hlog2, h2log2, log2f)
__HALF_ONE(hlog10, h2log10, log10f)
__HALF_ONE(hsin, h2sin, sinf)
__HALF_ONE(hcos, h2cos, cosf)
__HALF_ONE(hfloor, h2floor, floorf)
__HALF_ONE(hceil, h2ceil, ceilf)
__HALF_ONE(htrunc, h2trunc, truncf)
__HALF_ONE(hrint, h2rint, rintf)
