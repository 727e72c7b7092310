// What programs take from the headers helper_math.h and cutil_math.h of CUDA's samples: operators and functions of
// vectors.

#define __VECTOR_FUNCTION static inline __host__ __device__

// What is done with each component, from those of `a`, `b` and `c`.

#define __VECTOR_EACH2(make, f) make(f(x), f(y))
#define __VECTOR_EACH3(make, f) make(f(x), f(y), f(z))
#define __VECTOR_EACH4(make, f) make(f(x), f(y), f(z), f(w))

#define __VECTOR_NEGATED(m) -a.m
#define __VECTOR_ABS(m) abs(a.m)
#define __VECTOR_FABS(m) fabsf(a.m)
#define __VECTOR_FLOOR(m) floorf(a.m)
#define __VECTOR_FRACTION(m) a.m - floorf(a.m)
#define __VECTOR_FMOD(m) fmodf(a.m, b.m)
#define __VECTOR_FMIN(m) fminf(a.m, b.m)
#define __VECTOR_FMAX(m) fmaxf(a.m, b.m)
#define __VECTOR_MIN(m) min(a.m, b.m)
#define __VECTOR_MAX(m) max(a.m, b.m)
#define __VECTOR_CLAMP(m) clamp(a.m, b.m, c.m)
#define __VECTOR_CLAMP_ALL(m) clamp(a.m, b, c)
#define __VECTOR_INT(m) (int)a.m
#define __VECTOR_UINT(m) (uint)a.m
#define __VECTOR_FLOAT(m) (float)a.m
#define __VECTOR_SAME(m) a

// Conversions.

#define __VECTOR_MAKE(T) \
    __VECTOR_FUNCTION T##2 make_##T##2(T a) { return __VECTOR_EACH2(make_##T##2, __VECTOR_SAME); } \
    __VECTOR_FUNCTION T##3 make_##T##3(T a) { return __VECTOR_EACH3(make_##T##3, __VECTOR_SAME); } \
    __VECTOR_FUNCTION T##4 make_##T##4(T a) { return __VECTOR_EACH4(make_##T##4, __VECTOR_SAME); } \
    __VECTOR_FUNCTION T##2 make_##T##2(T##3 a) { return make_##T##2(a.x, a.y); } \
    __VECTOR_FUNCTION T##2 make_##T##2(T##4 a) { return make_##T##2(a.x, a.y); } \
    __VECTOR_FUNCTION T##3 make_##T##3(T##2 a) { return make_##T##3(a.x, a.y, 0); } \
    __VECTOR_FUNCTION T##3 make_##T##3(T##2 a, T z) { return make_##T##3(a.x, a.y, z); } \
    __VECTOR_FUNCTION T##3 make_##T##3(T##4 a) { return make_##T##3(a.x, a.y, a.z); } \
    __VECTOR_FUNCTION T##4 make_##T##4(T##3 a) { return make_##T##4(a.x, a.y, a.z, 0); } \
    __VECTOR_FUNCTION T##4 make_##T##4(T##3 a, T w) { return make_##T##4(a.x, a.y, a.z, w); }

#define __VECTOR_MAKE_FROM(T, from, f) \
    __VECTOR_FUNCTION T##2 make_##T##2(from##2 a) { return __VECTOR_EACH2(make_##T##2, f); } \
    __VECTOR_FUNCTION T##3 make_##T##3(from##3 a) { return __VECTOR_EACH3(make_##T##3, f); } \
    __VECTOR_FUNCTION T##4 make_##T##4(from##4 a) { return __VECTOR_EACH4(make_##T##4, f); }

__VECTOR_MAKE(float)
__VECTOR_MAKE(int)
__VECTOR_MAKE(uint)
__VECTOR_MAKE_FROM(float, int, __VECTOR_FLOAT)
__VECTOR_MAKE_FROM(float, uint, __VECTOR_FLOAT)
__VECTOR_MAKE_FROM(int, float, __VECTOR_INT)
__VECTOR_MAKE_FROM(int, uint, __VECTOR_INT)
__VECTOR_MAKE_FROM(uint, float, __VECTOR_UINT)
__VECTOR_MAKE_FROM(uint, int, __VECTOR_UINT)

// Operators.

#define __VECTOR_PAIR(m) a.m __VECTOR_SIGN b.m
#define __VECTOR_RIGHT(m) a.m __VECTOR_SIGN b
#define __VECTOR_LEFT(m) a __VECTOR_SIGN b.m

#define __VECTOR_OPERATOR_OF(T, V, make, each, op, op_assign) \
    __VECTOR_FUNCTION V operator op(V a, V b) { return each(make, __VECTOR_PAIR); } \
    __VECTOR_FUNCTION V operator op(V a, T b) { return each(make, __VECTOR_RIGHT); } \
    __VECTOR_FUNCTION V operator op(T a, V b) { return each(make, __VECTOR_LEFT); } \
    __VECTOR_FUNCTION void operator op_assign(V &a, V b) { a = each(make, __VECTOR_PAIR); } \
    __VECTOR_FUNCTION void operator op_assign(V &a, T b) { a = each(make, __VECTOR_RIGHT); }

#define __VECTOR_OPERATOR(T, op, op_assign) \
    __VECTOR_OPERATOR_OF(T, T##2, make_##T##2, __VECTOR_EACH2, op, op_assign) \
    __VECTOR_OPERATOR_OF(T, T##3, make_##T##3, __VECTOR_EACH3, op, op_assign) \
    __VECTOR_OPERATOR_OF(T, T##4, make_##T##4, __VECTOR_EACH4, op, op_assign)

#define __VECTOR_SIGN +
__VECTOR_OPERATOR(float, +, +=)
__VECTOR_OPERATOR(int, +, +=)
__VECTOR_OPERATOR(uint, +, +=)
#undef __VECTOR_SIGN
#define __VECTOR_SIGN -
__VECTOR_OPERATOR(float, -, -=)
__VECTOR_OPERATOR(int, -, -=)
__VECTOR_OPERATOR(uint, -, -=)
#undef __VECTOR_SIGN
#define __VECTOR_SIGN *
__VECTOR_OPERATOR(float, *, *=)
__VECTOR_OPERATOR(int, *, *=)
__VECTOR_OPERATOR(uint, *, *=)
#undef __VECTOR_SIGN
#define __VECTOR_SIGN /
__VECTOR_OPERATOR(float, /, /=)
__VECTOR_OPERATOR(int, /, /=)
__VECTOR_OPERATOR(uint, /, /=)
#undef __VECTOR_SIGN

// Functions of each component.

#define __VECTOR_ONE(name, T, f) \
    __VECTOR_FUNCTION T##2 name(T##2 a) { return __VECTOR_EACH2(make_##T##2, f); } \
    __VECTOR_FUNCTION T##3 name(T##3 a) { return __VECTOR_EACH3(make_##T##3, f); } \
    __VECTOR_FUNCTION T##4 name(T##4 a) { return __VECTOR_EACH4(make_##T##4, f); }

#define __VECTOR_TWO(name, T, f) \
    __VECTOR_FUNCTION T##2 name(T##2 a, T##2 b) { return __VECTOR_EACH2(make_##T##2, f); } \
    __VECTOR_FUNCTION T##3 name(T##3 a, T##3 b) { return __VECTOR_EACH3(make_##T##3, f); } \
    __VECTOR_FUNCTION T##4 name(T##4 a, T##4 b) { return __VECTOR_EACH4(make_##T##4, f); }

#define __VECTOR_CLAMPS(T, V, make, each) \
    __VECTOR_FUNCTION V clamp(V a, T b, T c) { return each(make, __VECTOR_CLAMP_ALL); } \
    __VECTOR_FUNCTION V clamp(V a, V b, V c) { return each(make, __VECTOR_CLAMP); }

__VECTOR_ONE(operator-, float, __VECTOR_NEGATED)
__VECTOR_ONE(operator-, int, __VECTOR_NEGATED)
__VECTOR_ONE(abs, int, __VECTOR_ABS)
__VECTOR_ONE(fabs, float, __VECTOR_FABS)
__VECTOR_ONE(floor, float, __VECTOR_FLOOR)
__VECTOR_ONE(floorf, float, __VECTOR_FLOOR)
__VECTOR_FUNCTION float fracf(float a) { return a - floorf(a); }
__VECTOR_ONE(fracf, float, __VECTOR_FRACTION)
__VECTOR_TWO(fmodf, float, __VECTOR_FMOD)
__VECTOR_TWO(fminf, float, __VECTOR_FMIN)
__VECTOR_TWO(fmaxf, float, __VECTOR_FMAX)
__VECTOR_TWO(min, float, __VECTOR_FMIN)
__VECTOR_TWO(min, int, __VECTOR_MIN)
__VECTOR_TWO(min, uint, __VECTOR_MIN)
__VECTOR_TWO(max, float, __VECTOR_FMAX)
__VECTOR_TWO(max, int, __VECTOR_MAX)
__VECTOR_TWO(max, uint, __VECTOR_MAX)

__VECTOR_FUNCTION float clamp(float x, float low, float high) { return fmaxf(low, fminf(x, high)); }
__VECTOR_FUNCTION int clamp(int x, int low, int high) { return max(low, min(x, high)); }
__VECTOR_FUNCTION uint clamp(uint x, uint low, uint high) { return max(low, min(x, high)); }
__VECTOR_CLAMPS(float, float2, make_float2, __VECTOR_EACH2)
__VECTOR_CLAMPS(float, float3, make_float3, __VECTOR_EACH3)
__VECTOR_CLAMPS(float, float4, make_float4, __VECTOR_EACH4)
__VECTOR_CLAMPS(int, int2, make_int2, __VECTOR_EACH2)
__VECTOR_CLAMPS(int, int3, make_int3, __VECTOR_EACH3)
__VECTOR_CLAMPS(int, int4, make_int4, __VECTOR_EACH4)
__VECTOR_CLAMPS(uint, uint2, make_uint2, __VECTOR_EACH2)
__VECTOR_CLAMPS(uint, uint3, make_uint3, __VECTOR_EACH3)
__VECTOR_CLAMPS(uint, uint4, make_uint4, __VECTOR_EACH4)

// Geometry.

#define __VECTOR_DOT(T) \
    __VECTOR_FUNCTION T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; } \
    __VECTOR_FUNCTION T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
    __VECTOR_FUNCTION T dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__VECTOR_DOT(float)
__VECTOR_DOT(int)
__VECTOR_DOT(uint)

__VECTOR_FUNCTION float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__VECTOR_FUNCTION float3 reflect(float3 ray, float3 normal)
{
    return ray - 2.0f * normal * dot(normal, ray);
}

#define __VECTOR_GEOMETRY(V) \
    __VECTOR_FUNCTION float length(V a) { return sqrtf(dot(a, a)); } \
    __VECTOR_FUNCTION V normalize(V a) { return a * rsqrtf(dot(a, a)); } \
    __VECTOR_FUNCTION V lerp(V a, V b, float t) { return a + t * (b - a); } \
    __VECTOR_FUNCTION V smoothstep(V a, V b, V x) \
    { \
        V t = clamp((x - a) / (b - a), 0.0f, 1.0f); \
        return t * t * (3.0f - 2.0f * t); \
    }

__VECTOR_FUNCTION float lerp(float a, float b, float t) { return a + t * (b - a); }
__VECTOR_FUNCTION float smoothstep(float a, float b, float x)
{
    float t = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}
__VECTOR_GEOMETRY(float2)
__VECTOR_GEOMETRY(float3)
__VECTOR_GEOMETRY(float4)
