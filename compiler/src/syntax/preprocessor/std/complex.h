// `cuComplex.h`: complex numbers as vectors of two.

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __COMPLEX(type, real, name, suffix, root) \
    static inline __host__ __device__ real cuCreal##suffix(type a) { return a.x; } \
    static inline __host__ __device__ real cuCimag##suffix(type a) { return a.y; } \
    static inline __host__ __device__ type make_cu##name##Complex(real x, real y) \
    { \
        type a; \
        a.x = x; \
        a.y = y; \
        return a; \
    } \
    static inline __host__ __device__ type cuConj##suffix(type a) { return make_cu##name##Complex(a.x, -a.y); } \
    static inline __host__ __device__ type cuCadd##suffix(type a, type b) \
    { \
        return make_cu##name##Complex(a.x + b.x, a.y + b.y); \
    } \
    static inline __host__ __device__ type cuCsub##suffix(type a, type b) \
    { \
        return make_cu##name##Complex(a.x - b.x, a.y - b.y); \
    } \
    static inline __host__ __device__ type cuCmul##suffix(type a, type b) \
    { \
        return make_cu##name##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
    } \
    static inline __host__ __device__ type cuCfma##suffix(type a, type b, type c) \
    { \
        return make_cu##name##Complex(a.x * b.x + c.x - a.y * b.y, a.y * b.x + (a.x * b.y + c.y)); \
    } \
    /* Both are made smaller by the size of the divisor, so that no product overflows. */ \
    static inline __host__ __device__ type cuCdiv##suffix(type a, type b) \
    { \
        const real size = fabs(b.x) + fabs(b.y), scale = 1 / size; \
        const real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
        const real inverse = 1 / (bx * bx + by * by); \
        return make_cu##name##Complex((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse); \
    } \
    static inline __host__ __device__ real cuCabs##suffix(type a) { return root(a.x, a.y); }
__COMPLEX(cuFloatComplex, float, Float, f, hypotf)
__COMPLEX(cuDoubleComplex, double, Double, , hypot)
#undef __COMPLEX

static inline __host__ __device__ cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
static inline __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_cuDoubleComplex(a.x, a.y);
}
static inline __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
