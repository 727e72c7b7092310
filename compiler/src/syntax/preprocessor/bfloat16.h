// Numbers of 8 bits of exponent, as floats have, and 8 digits: the upper halves of floats.

#include <__narrow.h>

// The number that is nearest, halves to even.
__NARROW_FUNCTION unsigned short __float_to_bfloat16(float a)
{
    unsigned int bits = *(unsigned int *)&a;
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Those around a float: the first of 1 is the one nearer to zero, that of 2 the one away from it.
__NARROW_FUNCTION unsigned short __float_to_bfloat16_by(float a, int way)
{
    unsigned int bits = *(unsigned int *)&a;
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((bits + (way == 2 ? 0xffff : 0)) >> 16);
}

struct __nv_bfloat16_raw {
    unsigned short x;
};

struct __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &a) : __x(a.x) {}
    __host__ __device__ __nv_bfloat16(float a) : __x(__float_to_bfloat16(a)) {}
    __host__ __device__ __nv_bfloat16(double a) : __x(__float_to_bfloat16(__narrow_odd(a))) {}
    __host__ __device__ __nv_bfloat16(int a) : __x(__float_to_bfloat16(__narrow_odd((double)a))) {}
    __host__ __device__ __nv_bfloat16(unsigned int a) : __x(__float_to_bfloat16(__narrow_odd((double)a))) {}
    __host__ __device__ operator float() const
    {
        unsigned int bits = (unsigned int)__x << 16;
        return *(float *)&bits;
    }
};
typedef __nv_bfloat16 nv_bfloat16;

struct __align__(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &x, const __nv_bfloat16 &y) : x(x), y(y) {}
};
typedef __nv_bfloat162 nv_bfloat162;

// Conversions.

__NARROW_NUMBERS(__nv_bfloat16, __nv_bfloat162, __ushort_as_bfloat16, 0x7f80)

__NARROW_FUNCTION __nv_bfloat16 __short_as_bfloat16(short bits) { return __ushort_as_bfloat16((unsigned short)bits); }
__NARROW_FUNCTION unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
__NARROW_FUNCTION short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }
__NARROW_FUNCTION __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
__NARROW_FUNCTION __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
__NARROW_FUNCTION __nv_bfloat16 __float2bfloat16_rz(float a)
{
    return __ushort_as_bfloat16(__float_to_bfloat16_by(a, 1));
}
__NARROW_FUNCTION __nv_bfloat16 __float2bfloat16_rd(float a)
{
    return __ushort_as_bfloat16(__float_to_bfloat16_by(a, signbit(a) ? 2 : 1));
}
__NARROW_FUNCTION __nv_bfloat16 __float2bfloat16_ru(float a)
{
    return __ushort_as_bfloat16(__float_to_bfloat16_by(a, signbit(a) ? 1 : 2));
}
__NARROW_FUNCTION __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
__NARROW_FUNCTION __nv_bfloat16 __int2bfloat16_rn(int a) { return __nv_bfloat16(a); }
__NARROW_FUNCTION __nv_bfloat16 __uint2bfloat16_rn(unsigned int a) { return __nv_bfloat16(a); }
__NARROW_FUNCTION float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
__NARROW_FUNCTION int __bfloat162int_rz(__nv_bfloat16 a) { return __float_to_int((float)a); }
__NARROW_FUNCTION int __bfloat162int_rn(__nv_bfloat16 a) { return __float_to_int(rintf((float)a)); }
__NARROW_FUNCTION int __bfloat162int_rd(__nv_bfloat16 a) { return __float_to_int(floorf((float)a)); }
__NARROW_FUNCTION int __bfloat162int_ru(__nv_bfloat16 a) { return __float_to_int(ceilf((float)a)); }

__NARROW_FUNCTION __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
__NARROW_FUNCTION __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
__NARROW_FUNCTION __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
__NARROW_FUNCTION __nv_bfloat162 __float2bfloat162_rn(float a)
{
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a));
}
__NARROW_FUNCTION __nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{
    return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
}
__NARROW_FUNCTION __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
__NARROW_FUNCTION float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2((float)a.x, (float)a.y); }
__NARROW_FUNCTION __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
__NARROW_FUNCTION __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
__NARROW_FUNCTION float __low2float(__nv_bfloat162 a) { return (float)a.x; }
__NARROW_FUNCTION float __high2float(__nv_bfloat162 a) { return (float)a.y; }
__NARROW_FUNCTION __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
__NARROW_FUNCTION __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
__NARROW_FUNCTION __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }
__NARROW_FUNCTION __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
__NARROW_FUNCTION __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
