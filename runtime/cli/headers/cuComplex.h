// Complex numbers of `float` and `double`, as structures.

#ifndef RECONVERGE_CUCOMPLEX_H
#define RECONVERGE_CUCOMPLEX_H

#include <cuda_runtime.h>
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#if defined(__CUDA__)
#define RECONVERGE_COMPLEX static inline __host__ __device__
#else
#define RECONVERGE_COMPLEX static inline
#endif

// The quotient and the absolute value scale their operands first, so that no part overflows in between.
#define RECONVERGE_COMPLEX_OF(C, T, F, S, abs, sqrt) \
    RECONVERGE_COMPLEX T cuCreal##S(C x) { return x.x; } \
    RECONVERGE_COMPLEX T cuCimag##S(C x) { return x.y; } \
    RECONVERGE_COMPLEX C make_cu##F##Complex(T real, T imaginary) \
    { \
        C result; \
        result.x = real; \
        result.y = imaginary; \
        return result; \
    } \
    RECONVERGE_COMPLEX C cuConj##S(C x) { return make_cu##F##Complex(x.x, -x.y); } \
    RECONVERGE_COMPLEX C cuCadd##S(C x, C y) { return make_cu##F##Complex(x.x + y.x, x.y + y.y); } \
    RECONVERGE_COMPLEX C cuCsub##S(C x, C y) { return make_cu##F##Complex(x.x - y.x, x.y - y.y); } \
    RECONVERGE_COMPLEX C cuCmul##S(C x, C y) \
    { \
        return make_cu##F##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); \
    } \
    RECONVERGE_COMPLEX C cuCfma##S(C x, C y, C z) \
    { \
        T real = x.x * y.x + z.x, imaginary = x.x * y.y + z.y; \
        return make_cu##F##Complex(-(x.y * y.y) + real, x.y * y.x + imaginary); \
    } \
    RECONVERGE_COMPLEX C cuCdiv##S(C x, C y) \
    { \
        T scale = (T)1 / (abs(y.x) + abs(y.y)); \
        T a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale; \
        T inverse = (T)1 / (c * c + d * d); \
        return make_cu##F##Complex((a * c + b * d) * inverse, (b * c - a * d) * inverse); \
    } \
    RECONVERGE_COMPLEX T cuCabs##S(C x) \
    { \
        T a = abs(x.x), b = abs(x.y), most = a > b ? a : b, least = a > b ? b : a; \
        if (most == (T)0 || most - most != (T)0) \
            return a + b; \
        T ratio = least / most; \
        return most * sqrt((T)1 + ratio * ratio); \
    }

RECONVERGE_COMPLEX_OF(cuFloatComplex, float, Float, f, fabsf, sqrtf)
RECONVERGE_COMPLEX_OF(cuDoubleComplex, double, Double, , fabs, sqrt)

RECONVERGE_COMPLEX cuComplex make_cuComplex(float real, float imaginary)
{
    return make_cuFloatComplex(real, imaginary);
}
RECONVERGE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_cuDoubleComplex(x.x, x.y);
}
RECONVERGE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_cuFloatComplex((float)x.x, (float)x.y);
}

#undef RECONVERGE_COMPLEX_OF
#undef RECONVERGE_COMPLEX

#endif
