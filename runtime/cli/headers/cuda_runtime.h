// CUDA for clang, without a CUDA toolkit: the language's own part. `reconverge build` includes it before each source.
//
// clang's headers supply the device functions; their names in CUDA's device library are functions of the simulator.

#ifndef RECONVERGE_CUDA_RUNTIME_H
#define RECONVERGE_CUDA_RUNTIME_H
// Programs test the name of CUDA's own guard.
#define __CUDA_RUNTIME_H__

#include "host_defines.h"
#include <stdint.h>

// The parts of CUB and Thrust for `__nv_bfloat16` include `cuda_fp8.h`, which is not here.
#ifndef CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#endif


// clang's headers need these names of `cuda.h`.
#ifndef CUDA_VERSION
#define CUDA_VERSION 12000
#endif
typedef uint32_t cuuint32_t;

#if defined(__CUDA__) && defined(__cplusplus)
#include <__clang_cuda_math_forward_declares.h>
#endif

#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#endif
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vector_types.h"
#include "driver_types.h"
#include "vector_functions.h"

#if defined(__CUDA__) && defined(__cplusplus)
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
// clang checks the bodies of device functions in host code too.
#define __CUDA_ARCH__ 9999
#endif
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#pragma pop_macro("__CUDA_ARCH__")

#include "device_atomic_functions.h"

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line, const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char *, ...);
}

namespace std {
__device__ static inline void free(void *memory) { ::free(memory); }
__device__ static inline void *malloc(size_t size) { return ::malloc(size); }
}

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

// The spaces of addresses.
static __device__ __forceinline__ unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
static __device__ __forceinline__ unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
static __device__ __forceinline__ unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
static __device__ __forceinline__ unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
#define RECONVERGE_SPACE(name, number) \
    static __device__ __forceinline__ size_t __cvta_generic_to_##name(const void *p) \
    { \
        return (size_t)(void __attribute__((address_space(number))) *)p; \
    } \
    static __device__ __forceinline__ void *__cvta_##name##_to_generic(size_t p) \
    { \
        return (void *)(void __attribute__((address_space(number))) *)p; \
    }
RECONVERGE_SPACE(global, 1)
RECONVERGE_SPACE(shared, 3)
RECONVERGE_SPACE(constant, 4)
RECONVERGE_SPACE(local, 5)
#undef RECONVERGE_SPACE

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
#include "device_functions.h"
#include "texture_indirect_functions.h"
#endif

#include "cuda_runtime_api.h"

#if defined(__CUDA__) && defined(__cplusplus)
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);

// Texture references; without a format, a reference has that of its elements or of the array.
template <class T, int dim, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, dim, mode> &reference, const void *memory,
    const cudaChannelFormatDesc &format, size_t size = 0xffffffff)
{
    return cudaBindTexture(offset, (const textureReference *)&reference, memory, &format, size);
}
template <class T, int dim, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, dim, mode> &reference, const void *memory,
    size_t size = 0xffffffff)
{
    return cudaBindTexture(offset, reference, memory, cudaCreateChannelDesc<T>(), size);
}
template <class T, int dim, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &reference, const void *memory,
    const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, (const textureReference *)&reference, memory, &format, width, height, pitch);
}
template <class T, int dim, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &reference, const void *memory,
    size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, reference, memory, cudaCreateChannelDesc<T>(), width, height, pitch);
}
template <class T, int dim, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &reference, cudaArray_const_t array,
    const cudaChannelFormatDesc &format)
{
    return cudaBindTextureToArray((const textureReference *)&reference, array, &format);
}
template <class T, int dim, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &reference, cudaArray_const_t array)
{
    return cudaBindTextureToArray((const textureReference *)&reference, array, nullptr);
}
template <class T, int dim, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, dim, mode> &reference)
{
    return cudaUnbindTexture((const textureReference *)&reference);
}
template <class T, int dim, cudaTextureReadMode mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dim, mode> &reference)
{
    return cudaGetTextureAlignmentOffset(offset, (const textureReference *)&reference);
}
#endif

#endif
