// Functions of C and CUDA that are made of others. A program's `name` means `__library_name` here, unless the program
// has a function of that name itself (`syntax/parts.rs`).

#define __LIBRARY static inline __host__ __device__

// What is said of an address changes nothing.
__LIBRARY void *__library___builtin_assume_aligned(const void *of, size_t) { return (void *)of; }

// Lengths of vectors: an infinity makes them infinite, whatever else is in them. The squares of floats fit into doubles;
// those of doubles are taken of numbers up to 1.

__LIBRARY float __library_normf(int count, const float *numbers)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        if (isinf(numbers[i]))
            return INFINITY;
        sum += (double)numbers[i] * numbers[i];
    }
    return (float)sqrt(sum);
}

__LIBRARY double __library_norm(int count, const double *numbers)
{
    double most = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        if (isinf(numbers[i]))
            return HUGE_VAL;
        most = fmax(most, fabs(numbers[i]));
    }
    const int exponent = most > 0 ? ilogb(most) + 1 : 0;
    for (int i = 0; i < count; i++) {
        const double part = scalbn(numbers[i], -exponent);
        sum += part * part;
    }
    return scalbn(sqrt(sum), exponent);
}

__LIBRARY float __library_norm4df(float x, float y, float z, float w) { return hypotf(hypotf(x, y), hypotf(z, w)); }
__LIBRARY double __library_norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
__LIBRARY float __library_rnorm4df(float x, float y, float z, float w) { return 1 / __library_norm4df(x, y, z, w); }
__LIBRARY double __library_rnorm4d(double x, double y, double z, double w) { return 1 / __library_norm4d(x, y, z, w); }

__LIBRARY float __library_rnormf(int count, const float *numbers) { return 1 / __library_normf(count, numbers); }
__LIBRARY double __library_rnorm(int count, const double *numbers) { return 1 / __library_norm(count, numbers); }

__LIBRARY int __library_exponent(long n) { return (int)max(-100000L, min(n, 100000L)); }
__LIBRARY float __library_scalbln(float x, long n) { return scalbnf(x, __library_exponent(n)); }
__LIBRARY double __library_scalbln(double x, long n) { return scalbn(x, __library_exponent(n)); }
__LIBRARY float __library_scalblnf(float x, long n) { return scalbnf(x, __library_exponent(n)); }

// Comparisons, which no NaN fulfils.

template <class T, class U> __LIBRARY bool __library_isgreater(T a, U b) { return a > b; }
template <class T, class U> __LIBRARY bool __library_isgreaterequal(T a, U b) { return a >= b; }
template <class T, class U> __LIBRARY bool __library_isless(T a, U b) { return a < b; }
template <class T, class U> __LIBRARY bool __library_islessequal(T a, U b) { return a <= b; }
template <class T, class U> __LIBRARY bool __library_islessgreater(T a, U b) { return a < b || a > b; }
template <class T, class U> __LIBRARY bool __library_isunordered(T a, U b) { return a != a || b != b; }
__LIBRARY bool __library_isnormal(float a) { return fabsf(a) >= FLT_MIN && isfinite(a); }
__LIBRARY bool __library_isnormal(double a) { return fabs(a) >= DBL_MIN && isfinite(a); }

// Products of the parts of vectors that are words; those of words are built in.

__LIBRARY unsigned int __library_word(unsigned int a, unsigned int b, unsigned int c, unsigned int d)
{
    return (a & 255) | (b & 255) << 8 | (c & 255) << 16 | d << 24;
}
__LIBRARY unsigned int __library_word(char4 a) { return __library_word(a.x, a.y, a.z, a.w); }
__LIBRARY unsigned int __library_word(uchar4 a) { return __library_word(a.x, a.y, a.z, a.w); }
__LIBRARY unsigned int __library_word(short2 a) { return (a.x & 65535) | a.y << 16; }
__LIBRARY unsigned int __library_word(ushort2 a) { return a.x | a.y << 16; }

#define __LIBRARY_PRODUCTS(name, signed_left, signed_right, left, right) \
    static inline __device__ int __library_##name(signed_left a, signed_right b, int c) \
    { \
        return name((int)__library_word(a), (int)__library_word(b), c); \
    } \
    static inline __device__ unsigned int __library_##name(left a, right b, unsigned int c) \
    { \
        return name(__library_word(a), __library_word(b), c); \
    }
__LIBRARY_PRODUCTS(__dp4a, char4, char4, uchar4, uchar4)
__LIBRARY_PRODUCTS(__dp2a_lo, short2, char4, ushort2, uchar4)
__LIBRARY_PRODUCTS(__dp2a_hi, short2, char4, ushort2, uchar4)
