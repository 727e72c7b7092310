// Vectors of two to four numbers, with CUDA's alignment.

#ifndef RECONVERGE_VECTOR_TYPES_H
#define RECONVERGE_VECTOR_TYPES_H

#include "host_defines.h"

#define RECONVERGE_VECTORS(T, name, two, four) \
    struct name##1 { T x; }; \
    struct __align__(two) name##2 { T x, y; }; \
    struct name##3 { T x, y, z; }; \
    struct __align__(four) name##4 { T x, y, z, w; }; \
    typedef struct name##1 name##1; \
    typedef struct name##2 name##2; \
    typedef struct name##3 name##3; \
    typedef struct name##4 name##4;

RECONVERGE_VECTORS(signed char, char, 2, 4)
RECONVERGE_VECTORS(unsigned char, uchar, 2, 4)
RECONVERGE_VECTORS(short, short, 4, 8)
RECONVERGE_VECTORS(unsigned short, ushort, 4, 8)
RECONVERGE_VECTORS(int, int, 8, 16)
RECONVERGE_VECTORS(unsigned int, uint, 8, 16)
RECONVERGE_VECTORS(long int, long, 16, 16)
RECONVERGE_VECTORS(unsigned long int, ulong, 16, 16)
RECONVERGE_VECTORS(long long int, longlong, 16, 16)
RECONVERGE_VECTORS(unsigned long long int, ulonglong, 16, 16)
RECONVERGE_VECTORS(float, float, 8, 16)
RECONVERGE_VECTORS(double, double, 16, 16)

#undef RECONVERGE_VECTORS

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
