// What C's library does with bytes of memory, for code that the device runs too.

// Whether so many bytes can be gone through in steps of four.
static inline __host__ __device__ bool __bytes_are_words(const void *a, const void *b, size_t count)
{
    return (((size_t)a | (size_t)b | count) & 3) == 0;
}

static inline __host__ __device__ void *__device_memcpy(void *to, const void *from, size_t count)
{
    if (__bytes_are_words(to, from, count)) {
        for (size_t i = 0; i < count / 4; i++)
            ((unsigned int *)to)[i] = ((const unsigned int *)from)[i];
    } else {
        for (size_t i = 0; i < count; i++)
            ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
    return to;
}

static inline __host__ __device__ void *__device_memmove(void *to, const void *from, size_t count)
{
    if ((size_t)to <= (size_t)from)
        return __device_memcpy(to, from, count);
    if (__bytes_are_words(to, from, count)) {
        for (size_t i = count / 4; i > 0; i--)
            ((unsigned int *)to)[i - 1] = ((const unsigned int *)from)[i - 1];
    } else {
        for (size_t i = count; i > 0; i--)
            ((unsigned char *)to)[i - 1] = ((const unsigned char *)from)[i - 1];
    }
    return to;
}

static inline __host__ __device__ void *__device_memset(void *to, int value, size_t count)
{
    if (__bytes_are_words(to, to, count)) {
        for (size_t i = 0; i < count / 4; i++)
            ((unsigned int *)to)[i] = (unsigned char)value * 0x01010101u;
    } else {
        for (size_t i = 0; i < count; i++)
            ((unsigned char *)to)[i] = (unsigned char)value;
    }
    return to;
}
