// Constructors of vectors.

#ifndef RECONVERGE_VECTOR_FUNCTIONS_H
#define RECONVERGE_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#ifdef __cplusplus
#define RECONVERGE_MAKE(T, name) \
    static inline __host__ __device__ name##1 make_##name##1(T x) { name##1 v; v.x = x; return v; } \
    static inline __host__ __device__ name##2 make_##name##2(T x, T y) { name##2 v; v.x = x; v.y = y; return v; } \
    static inline __host__ __device__ name##3 make_##name##3(T x, T y, T z) \
    { \
        name##3 v; v.x = x; v.y = y; v.z = z; return v; \
    } \
    static inline __host__ __device__ name##4 make_##name##4(T x, T y, T z, T w) \
    { \
        name##4 v; v.x = x; v.y = y; v.z = z; v.w = w; return v; \
    }

RECONVERGE_MAKE(signed char, char)
RECONVERGE_MAKE(unsigned char, uchar)
RECONVERGE_MAKE(short, short)
RECONVERGE_MAKE(unsigned short, ushort)
RECONVERGE_MAKE(int, int)
RECONVERGE_MAKE(unsigned int, uint)
RECONVERGE_MAKE(long int, long)
RECONVERGE_MAKE(unsigned long int, ulong)
RECONVERGE_MAKE(long long int, longlong)
RECONVERGE_MAKE(unsigned long long int, ulonglong)
RECONVERGE_MAKE(float, float)
RECONVERGE_MAKE(double, double)

#undef RECONVERGE_MAKE
#endif

#endif
