// What numbers of 16 bits have in common: kept in 2 bytes, computed as floats, each result rounded once, to the nearest,
// halves to even. A float has more than twice their digits, so that sums, products, quotients and roots are the rounded
// exact ones. A type has its bits in `__x`, and constructors from float and double that round so.

#define __NARROW_FUNCTION static inline __host__ __device__

// A float that rounds to fewer digits as the double does: of the two around that the odd one.
__NARROW_FUNCTION float __narrow_odd(double a)
{
    float near = (float)a;
    if (near != a && a == a) {
        unsigned int *bits = (unsigned int *)&near;
        if ((*bits & 1) == 0)
            *bits += fabs((double)near) < fabs(a) ? 1 : -1;
    }
    return near;
}

// `a * b + c` for numbers whose products are exact in a double: odd where it is not exact, so that it is on the exact
// sum's side of every middle of fewer digits.
__NARROW_FUNCTION double __narrow_fma(float a, float b, float c)
{
    const double product = (double)a * b, addend = c;
    double sum = product + addend;
    const double part = sum - product, lost = (product - (sum - part)) + (addend - part);
    if (lost < 0 || lost > 0) {
        unsigned long long *bits = (unsigned long long *)&sum;
        if ((*bits & 1) == 0)
            *bits += (lost > 0) == (sum > 0) ? 1 : -1;
    }
    return sum;
}

#define __NARROW_BITS(T, from_bits) \
    __NARROW_FUNCTION T from_bits(unsigned short bits) \
    { \
        T a; \
        a.__x = bits; \
        return a; \
    }

#define __NARROW_TWO(T, T2, op, op_assign, name, name2) \
    __NARROW_FUNCTION T name(T a, T b) { return T((float)a op (float)b); } \
    __NARROW_FUNCTION T2 name2(T2 a, T2 b) { return T2(name(a.x, b.x), name(a.y, b.y)); } \
    __NARROW_FUNCTION T operator op(const T &a, const T &b) { return name(a, b); } \
    __NARROW_FUNCTION T2 operator op(const T2 &a, const T2 &b) { return name2(a, b); } \
    __NARROW_FUNCTION T &operator op_assign(T &a, const T &b) { a = name(a, b); return a; } \
    __NARROW_FUNCTION T2 &operator op_assign(T2 &a, const T2 &b) { a = name2(a, b); return a; }

// Comparisons; those of pairs give 1 or 0 in each half, or say whether both hold.
#define __NARROW_COMPARE(T, T2, op, name) \
    __NARROW_FUNCTION bool __h##name(T a, T b) { return (float)a op (float)b; } \
    __NARROW_FUNCTION T2 __h##name##2(T2 a, T2 b) \
    { \
        return T2(T((float)__h##name(a.x, b.x)), T((float)__h##name(a.y, b.y))); \
    } \
    __NARROW_FUNCTION bool __hb##name##2(T2 a, T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
    __NARROW_FUNCTION bool operator op(const T &a, const T &b) { return __h##name(a, b); } \
    __NARROW_FUNCTION bool operator op(const T2 &a, const T2 &b) { return __hb##name##2(a, b); }

#define __NARROW_ONE(T, T2, name, name2, f) \
    __NARROW_FUNCTION T name(T a) { return T(f((float)a)); } \
    __NARROW_FUNCTION T2 name2(T2 a) { return T2(name(a.x), name(a.y)); }
#define __NARROW_RECIPROCAL(a) 1.0f / (a)

// A pair is shuffled as a whole.
#define __NARROW_SHUFFLE(T, T2, from_bits, name, lane) \
    static inline __device__ T name(unsigned int mask, T a, lane b, int width = 0) \
    { \
        return from_bits((unsigned short)name(mask, (unsigned int)a.__x, b, width)); \
    } \
    static inline __device__ T2 name(unsigned int mask, T2 a, lane b, int width = 0) \
    { \
        const unsigned int both = name(mask, a.x.__x | (unsigned int)a.y.__x << 16, b, width); \
        return T2(from_bits((unsigned short)both), from_bits((unsigned short)(both >> 16))); \
    }

#define __NARROW_NUMBERS(T, T2, from_bits, infinite) \
    __NARROW_BITS(T, from_bits) \
    __NARROW_SHUFFLE(T, T2, from_bits, __shfl_sync, int) \
    __NARROW_SHUFFLE(T, T2, from_bits, __shfl_up_sync, unsigned int) \
    __NARROW_SHUFFLE(T, T2, from_bits, __shfl_down_sync, unsigned int) \
    __NARROW_SHUFFLE(T, T2, from_bits, __shfl_xor_sync, int) \
    __NARROW_TWO(T, T2, +, +=, __hadd, __hadd2) \
    __NARROW_TWO(T, T2, -, -=, __hsub, __hsub2) \
    __NARROW_TWO(T, T2, *, *=, __hmul, __hmul2) \
    __NARROW_TWO(T, T2, /, /=, __hdiv, __h2div) \
    __NARROW_FUNCTION T __hadd_rn(T a, T b) { return __hadd(a, b); } \
    __NARROW_FUNCTION T __hsub_rn(T a, T b) { return __hsub(a, b); } \
    __NARROW_FUNCTION T __hmul_rn(T a, T b) { return __hmul(a, b); } \
    __NARROW_FUNCTION T __hneg(T a) { return from_bits(a.__x ^ 0x8000); } \
    __NARROW_FUNCTION T __habs(T a) { return from_bits(a.__x & 0x7fff); } \
    __NARROW_FUNCTION T2 __hneg2(T2 a) { return T2(__hneg(a.x), __hneg(a.y)); } \
    __NARROW_FUNCTION T2 __habs2(T2 a) { return T2(__habs(a.x), __habs(a.y)); } \
    __NARROW_FUNCTION T operator-(const T &a) { return __hneg(a); } \
    __NARROW_FUNCTION T2 operator-(const T2 &a) { return __hneg2(a); } \
    __NARROW_FUNCTION T operator+(const T &a) { return a; } \
    __NARROW_FUNCTION T2 operator+(const T2 &a) { return a; } \
    __NARROW_FUNCTION T &operator++(T &a) { a = __hadd(a, T(1.0f)); return a; } \
    __NARROW_FUNCTION T &operator--(T &a) { a = __hsub(a, T(1.0f)); return a; } \
    __NARROW_FUNCTION T __hfma(T a, T b, T c) { return T(__narrow_fma((float)a, (float)b, (float)c)); } \
    __NARROW_FUNCTION T2 __hfma2(T2 a, T2 b, T2 c) { return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); } \
    __NARROW_COMPARE(T, T2, ==, eq) \
    __NARROW_COMPARE(T, T2, !=, ne) \
    __NARROW_COMPARE(T, T2, <, lt) \
    __NARROW_COMPARE(T, T2, <=, le) \
    __NARROW_COMPARE(T, T2, >, gt) \
    __NARROW_COMPARE(T, T2, >=, ge) \
    __NARROW_FUNCTION bool __hisnan(T a) { return (a.__x & 0x7fff) > infinite; } \
    __NARROW_FUNCTION int __hisinf(T a) { return a.__x == infinite ? 1 : a.__x == (infinite | 0x8000) ? -1 : 0; } \
    __NARROW_FUNCTION T __hmax(T a, T b) { return T(fmaxf((float)a, (float)b)); } \
    __NARROW_FUNCTION T __hmin(T a, T b) { return T(fminf((float)a, (float)b)); } \
    __NARROW_FUNCTION T2 __hmax2(T2 a, T2 b) { return T2(__hmax(a.x, b.x), __hmax(a.y, b.y)); } \
    __NARROW_FUNCTION T2 __hmin2(T2 a, T2 b) { return T2(__hmin(a.x, b.x), __hmin(a.y, b.y)); } \
    __NARROW_ONE(T, T2, hsqrt, h2sqrt, sqrtf) \
    __NARROW_ONE(T, T2, hrsqrt, h2rsqrt, rsqrtf) \
    __NARROW_ONE(T, T2, hrcp, h2rcp, __NARROW_RECIPROCAL) \
    __NARROW_ONE(T, T2, hexp, h2exp, expf) \
    __NARROW_ONE(T, T2, hexp2, h2exp2, exp2f) \
    __NARROW_ONE(T, T2, hexp10, h2exp10, exp10f) \
    __NARROW_ONE(T, T2, hlog, h2log, logf) \
    __NARROW_ONE(T, T2, hlog2, h2log2, log2f) \
    __NARROW_ONE(T, T2, hlog10, h2log10, log10f) \
    __NARROW_ONE(T, T2, hsin, h2sin, sinf) \
    __NARROW_ONE(T, T2, hcos, h2cos, cosf) \
    __NARROW_ONE(T, T2, htanh, h2tanh, tanhf) \
    __NARROW_ONE(T, T2, hfloor, h2floor, floorf) \
    __NARROW_ONE(T, T2, hceil, h2ceil, ceilf) \
    __NARROW_ONE(T, T2, htrunc, h2trunc, truncf) \
    __NARROW_ONE(T, T2, hrint, h2rint, rintf)
