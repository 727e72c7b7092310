// Numbers of half precision: 5 bits of exponent, 11 digits.

#include <__narrow.h>

struct __half {
    unsigned short __x;
    __half() = default;
    __host__ __device__ __half(float a) : __x(__float_to_half(a)) {}
    __host__ __device__ __half(double a) : __x(__float_to_half(__narrow_odd(a))) {}
    __host__ __device__ __half(int a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(unsigned int a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(long a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(unsigned long a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(long long a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ __half(unsigned long long a) : __x(__float_to_half((float)a)) {}
    __host__ __device__ operator float() const { return __half_to_float(__x); }
};
typedef __half half;

struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(const __half &x, const __half &y) : x(x), y(y) {}
};
typedef __half2 half2;

// Conversions.

__NARROW_NUMBERS(__half, __half2, __ushort_as_half, 0x7c00)

__NARROW_FUNCTION __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
__NARROW_FUNCTION unsigned short __half_as_ushort(__half a) { return a.__x; }
__NARROW_FUNCTION short __half_as_short(__half a) { return (short)a.__x; }
__NARROW_FUNCTION __half __float2half(float a) { return __half(a); }
__NARROW_FUNCTION __half __float2half_rn(float a) { return __half(a); }
__NARROW_FUNCTION __half __double2half(double a) { return __half(a); }
__NARROW_FUNCTION __half __int2half_rn(int a) { return __half(a); }
__NARROW_FUNCTION __half __uint2half_rn(unsigned int a) { return __half(a); }
__NARROW_FUNCTION __half __short2half_rn(short a) { return __half((int)a); }
__NARROW_FUNCTION __half __ushort2half_rn(unsigned short a) { return __half((int)a); }
__NARROW_FUNCTION __half __ll2half_rn(long long a) { return __half(a); }
__NARROW_FUNCTION __half __ull2half_rn(unsigned long long a) { return __half(a); }
__NARROW_FUNCTION float __half2float(__half a) { return __half_to_float(a.__x); }
__NARROW_FUNCTION int __half2int_rz(__half a) { return __float_to_int(__half2float(a)); }
__NARROW_FUNCTION int __half2int_rn(__half a) { return __float_to_int(rintf(__half2float(a))); }
__NARROW_FUNCTION int __half2int_rd(__half a) { return __float_to_int(floorf(__half2float(a))); }
__NARROW_FUNCTION int __half2int_ru(__half a) { return __float_to_int(ceilf(__half2float(a))); }
__NARROW_FUNCTION unsigned int __half2uint_rz(__half a) { return __float_to_uint(__half2float(a)); }
__NARROW_FUNCTION unsigned int __half2uint_rn(__half a) { return __float_to_uint(rintf(__half2float(a))); }

__NARROW_FUNCTION __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
__NARROW_FUNCTION __half2 make_half2(__half x, __half y) { return __half2(x, y); }
__NARROW_FUNCTION __half2 __half2half2(__half a) { return __half2(a, a); }
__NARROW_FUNCTION __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
__NARROW_FUNCTION __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
__NARROW_FUNCTION __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
__NARROW_FUNCTION float2 __half22float2(__half2 a) { return make_float2(__half2float(a.x), __half2float(a.y)); }
__NARROW_FUNCTION __half __low2half(__half2 a) { return a.x; }
__NARROW_FUNCTION __half __high2half(__half2 a) { return a.y; }
__NARROW_FUNCTION float __low2float(__half2 a) { return __half2float(a.x); }
__NARROW_FUNCTION float __high2float(__half2 a) { return __half2float(a.y); }
__NARROW_FUNCTION __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
__NARROW_FUNCTION __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
__NARROW_FUNCTION __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
__NARROW_FUNCTION __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
__NARROW_FUNCTION __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
