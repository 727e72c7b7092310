// Fetches from texture objects, and loads and stores of surface objects.
//
// A fetch is an instruction of PTX. A surface is the address of a descriptor, which loads and stores read.

#ifndef RECONVERGE_TEXTURE_INDIRECT_FUNCTIONS_H
#define RECONVERGE_TEXTURE_INDIRECT_FUNCTIONS_H

#include "driver_types.h"
#include "vector_types.h"

#if defined(__CUDA__) && defined(__cplusplus)

template <class T> struct __texel;

// The fetches of an element type: the type and constraint of a channel in PTX, and its conversion to the element.
#define RECONVERGE_TEXEL(T, channel, type, letter, ...) \
    template <> struct __texel<T> { \
        static __device__ T element(channel a, channel b, channel c, channel d) { return __VA_ARGS__; } \
        static __device__ T index(cudaTextureObject_t object, int x) \
        { \
            channel a, b, c, d; \
            asm("tex.1d.v4." type ".s32 {%0, %1, %2, %3}, [%4, {%5}];" \
                : "=" letter(a), "=" letter(b), "=" letter(c), "=" letter(d) \
                : "l"(object), "r"(x)); \
            return element(a, b, c, d); \
        } \
        static __device__ T line(cudaTextureObject_t object, float x) \
        { \
            channel a, b, c, d; \
            asm("tex.1d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5}];" \
                : "=" letter(a), "=" letter(b), "=" letter(c), "=" letter(d) \
                : "l"(object), "f"(x)); \
            return element(a, b, c, d); \
        } \
        static __device__ T plane(cudaTextureObject_t object, float x, float y) \
        { \
            channel a, b, c, d; \
            asm("tex.2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" \
                : "=" letter(a), "=" letter(b), "=" letter(c), "=" letter(d) \
                : "l"(object), "f"(x), "f"(y)); \
            return element(a, b, c, d); \
        } \
    };
#define RECONVERGE_TEXELS(T, V, channel, type, letter) \
    RECONVERGE_TEXEL(T, channel, type, letter, (T)a) \
    RECONVERGE_TEXEL(V##1, channel, type, letter, V##1{(T)a}) \
    RECONVERGE_TEXEL(V##2, channel, type, letter, V##2{(T)a, (T)b}) \
    RECONVERGE_TEXEL(V##4, channel, type, letter, V##4{(T)a, (T)b, (T)c, (T)d})

RECONVERGE_TEXEL(char, int, "s32", "r", (char)a)
RECONVERGE_TEXELS(signed char, char, int, "s32", "r")
RECONVERGE_TEXELS(unsigned char, uchar, unsigned int, "u32", "r")
RECONVERGE_TEXELS(short, short, int, "s32", "r")
RECONVERGE_TEXELS(unsigned short, ushort, unsigned int, "u32", "r")
RECONVERGE_TEXELS(int, int, int, "s32", "r")
RECONVERGE_TEXELS(unsigned int, uint, unsigned int, "u32", "r")
RECONVERGE_TEXELS(float, float, float, "f32", "f")
#undef RECONVERGE_TEXELS
#undef RECONVERGE_TEXEL

template <class T> static __device__ T tex1Dfetch(cudaTextureObject_t object, int x)
{
    return __texel<T>::index(object, x);
}
template <class T> static __device__ T tex1D(cudaTextureObject_t object, float x)
{
    return __texel<T>::line(object, x);
}
template <class T> static __device__ T tex2D(cudaTextureObject_t object, float x, float y)
{
    return __texel<T>::plane(object, x, y);
}
template <class T> static __device__ void tex1Dfetch(T *to, cudaTextureObject_t object, int x)
{
    *to = tex1Dfetch<T>(object, x);
}
template <class T> static __device__ void tex1D(T *to, cudaTextureObject_t object, float x)
{
    *to = tex1D<T>(object, x);
}
template <class T> static __device__ void tex2D(T *to, cudaTextureObject_t object, float x, float y)
{
    *to = tex2D<T>(object, x, y);
}

// Textures of three dimensions are not supported: a kernel that fetches from one is refused.
template <class T> __device__ T tex3D(cudaTextureObject_t object, float x, float y, float z);

// The descriptor of a surface.
struct __surface {
    int normalized, modes[3];
    char *start;
    unsigned int width, height, pitch, bytes;

    // The place of an element, with x in bytes. Outside: it is the nearest one, or there is none, or the kernel traps.
    template <class T> __device__ T *at(int x, int y, cudaSurfaceBoundaryMode mode) const
    {
        int row = (int)(width * bytes), size = (int)sizeof(T);
        if (x < 0 || x + size > row || y < 0 || y >= (int)height) {
            if (mode == cudaBoundaryModeTrap)
                __builtin_trap();
            if (mode == cudaBoundaryModeZero)
                return 0;
            x = x < 0 ? 0 : x + size > row ? row - size : x;
            y = y < 0 ? 0 : y >= (int)height ? (int)height - 1 : y;
        }
        return (T *)(start + (size_t)y * pitch + x);
    }
};

template <class T>
static __device__ T surf2Dread(cudaSurfaceObject_t object, int x, int y,
    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    const T *from = ((const __surface *)object)->at<T>(x, y, mode);
    return from ? *from : T();
}
template <class T>
static __device__ T surf1Dread(cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    return surf2Dread<T>(object, x, 0, mode);
}
template <class T>
static __device__ void surf2Dread(T *to, cudaSurfaceObject_t object, int x, int y,
    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    *to = surf2Dread<T>(object, x, y, mode);
}
template <class T>
static __device__ void surf1Dread(T *to, cudaSurfaceObject_t object, int x,
    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    *to = surf2Dread<T>(object, x, 0, mode);
}
// A store outside goes nowhere, unless the kernel traps.
template <class T>
static __device__ void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y,
    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    T *to = ((const __surface *)object)->at<T>(x, y, mode == cudaBoundaryModeTrap ? mode : cudaBoundaryModeZero);
    if (to)
        *to = value;
}
template <class T>
static __device__ void surf1Dwrite(T value, cudaSurfaceObject_t object, int x,
    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    surf2Dwrite(value, object, x, 0, mode);
}

#endif

#endif
