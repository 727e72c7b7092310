// Lanes with the same value, by the functions of clang's headers.

#define RECONVERGE_MATCH(T, bits, as) \
    static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, T value) \
    { \
        return __match##bits##_any_sync(mask, as(value)); \
    } \
    static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, T value, int *all) \
    { \
        return __match##bits##_all_sync(mask, as(value), all); \
    }

RECONVERGE_MATCH(int, 32, (unsigned int))
RECONVERGE_MATCH(unsigned int, 32, (unsigned int))
RECONVERGE_MATCH(long, 64, (unsigned long long))
RECONVERGE_MATCH(unsigned long, 64, (unsigned long long))
RECONVERGE_MATCH(long long, 64, (unsigned long long))
RECONVERGE_MATCH(unsigned long long, 64, (unsigned long long))
RECONVERGE_MATCH(float, 32, __float_as_uint)
RECONVERGE_MATCH(double, 64, (unsigned long long)__double_as_longlong)

#undef RECONVERGE_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned int) {}
