// Atomic functions, by those of clang's headers; memory is coherent for all scopes.

#ifndef RECONVERGE_DEVICE_ATOMIC_FUNCTIONS_H
#define RECONVERGE_DEVICE_ATOMIC_FUNCTIONS_H

#define RECONVERGE_ATOMIC(name, T, clang) \
    static __device__ __forceinline__ T name(T *p, T v) { return clang(p, v); } \
    static __device__ __forceinline__ T name##_block(T *p, T v) { return clang(p, v); } \
    static __device__ __forceinline__ T name##_system(T *p, T v) { return clang(p, v); }

RECONVERGE_ATOMIC(atomicAdd, int, __iAtomicAdd)
RECONVERGE_ATOMIC(atomicAdd, unsigned int, __uAtomicAdd)
RECONVERGE_ATOMIC(atomicAdd, unsigned long long, __ullAtomicAdd)
RECONVERGE_ATOMIC(atomicAdd, float, __fAtomicAdd)
RECONVERGE_ATOMIC(atomicAdd, double, __dAtomicAdd)
RECONVERGE_ATOMIC(atomicExch, int, __iAtomicExch)
RECONVERGE_ATOMIC(atomicExch, unsigned int, __uAtomicExch)
RECONVERGE_ATOMIC(atomicExch, unsigned long long, __ullAtomicExch)
RECONVERGE_ATOMIC(atomicExch, float, __fAtomicExch)
RECONVERGE_ATOMIC(atomicMin, int, __iAtomicMin)
RECONVERGE_ATOMIC(atomicMin, unsigned int, __uAtomicMin)
RECONVERGE_ATOMIC(atomicMin, long long, __illAtomicMin)
RECONVERGE_ATOMIC(atomicMin, unsigned long long, __ullAtomicMin)
RECONVERGE_ATOMIC(atomicMax, int, __iAtomicMax)
RECONVERGE_ATOMIC(atomicMax, unsigned int, __uAtomicMax)
RECONVERGE_ATOMIC(atomicMax, long long, __illAtomicMax)
RECONVERGE_ATOMIC(atomicMax, unsigned long long, __ullAtomicMax)
RECONVERGE_ATOMIC(atomicAnd, int, __iAtomicAnd)
RECONVERGE_ATOMIC(atomicAnd, unsigned int, __uAtomicAnd)
RECONVERGE_ATOMIC(atomicAnd, unsigned long long, __ullAtomicAnd)
RECONVERGE_ATOMIC(atomicOr, int, __iAtomicOr)
RECONVERGE_ATOMIC(atomicOr, unsigned int, __uAtomicOr)
RECONVERGE_ATOMIC(atomicOr, unsigned long long, __ullAtomicOr)
RECONVERGE_ATOMIC(atomicXor, int, __iAtomicXor)
RECONVERGE_ATOMIC(atomicXor, unsigned int, __uAtomicXor)
RECONVERGE_ATOMIC(atomicXor, unsigned long long, __ullAtomicXor)
RECONVERGE_ATOMIC(atomicInc, unsigned int, __uAtomicInc)
RECONVERGE_ATOMIC(atomicDec, unsigned int, __uAtomicDec)

#undef RECONVERGE_ATOMIC

#define RECONVERGE_ATOMIC_CAS(T, clang) \
    static __device__ __forceinline__ T atomicCAS(T *p, T compare, T v) { return clang(p, compare, v); } \
    static __device__ __forceinline__ T atomicCAS_block(T *p, T compare, T v) { return clang(p, compare, v); } \
    static __device__ __forceinline__ T atomicCAS_system(T *p, T compare, T v) { return clang(p, compare, v); }

RECONVERGE_ATOMIC_CAS(int, __iAtomicCAS)
RECONVERGE_ATOMIC_CAS(unsigned int, __uAtomicCAS)
RECONVERGE_ATOMIC_CAS(unsigned long long, __ullAtomicCAS)

#undef RECONVERGE_ATOMIC_CAS

static __device__ __forceinline__ int atomicSub(int *p, int v) { return __iAtomicAdd(p, -v); }
static __device__ __forceinline__ unsigned int atomicSub(unsigned int *p, unsigned int v) { return __uAtomicAdd(p, -v); }

// The 16 bits of a word that holds them.
static __device__ inline unsigned short atomicCAS(unsigned short *p, unsigned short compare, unsigned short v)
{
    unsigned int *word = (unsigned int *)((unsigned long long)p & ~2ull);
    unsigned int shift = ((unsigned long long)p & 2) * 8, old = *(volatile unsigned int *)word;
    while (true) {
        unsigned short now = (unsigned short)(old >> shift);
        if (now != compare)
            return now;
        unsigned int next = (old & ~(0xffffu << shift)) | ((unsigned int)v << shift);
        unsigned int seen = __uAtomicCAS(word, old, next);
        if (seen == old)
            return now;
        old = seen;
    }
}

#endif
