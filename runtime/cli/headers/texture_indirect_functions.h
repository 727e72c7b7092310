// Fetches from texture objects, and loads and stores of surface objects.
//
// A fetch is an instruction of PTX. A surface is the address of a descriptor, which loads and stores read.

#ifndef RECONVERGE_TEXTURE_INDIRECT_FUNCTIONS_H
#define RECONVERGE_TEXTURE_INDIRECT_FUNCTIONS_H

#include "driver_types.h"
#include "vector_types.h"

#if defined(__CUDA__) && defined(__cplusplus)

template <class T> struct __texel;

// A fetch of an element type: the type and constraint of a channel in PTX, the instruction up to its types, the function's name and
// parameters, and the coordinates as operands of `asm`.
#define RECONVERGE_FETCH(T, channel, type, letter, instruction, by, name, parameters, coordinates, ...) \
    static __device__ T name parameters \
    { \
        channel a, b, c, d; \
        asm(instruction ".v4." type "." by " {%0, %1, %2, %3}, [%4, {" coordinates "}];" \
            : "=" letter(a), "=" letter(b), "=" letter(c), "=" letter(d) \
            : "l"(object), __VA_ARGS__); \
        return element(a, b, c, d); \
    }
// Four elements that a filter takes; `element` would convert channels, so they stay as they are.
#define RECONVERGE_GATHER(channel, type, letter, part) \
    static __device__ void gather_##part(channel (&to)[4], cudaTextureObject_t object, float x, float y) \
    { \
        asm("tld4." #part ".2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" \
            : "=" letter(to[0]), "=" letter(to[1]), "=" letter(to[2]), "=" letter(to[3]) \
            : "l"(object), "f"(x), "f"(y)); \
    }
// The fetches of an element type, and the conversion of channels to the element.
#define RECONVERGE_TEXEL(T, channel, type, letter, ...) \
    template <> struct __texel<T> { \
        typedef channel channel_type; \
        static __device__ T element(channel a, channel b, channel c, channel d) { return __VA_ARGS__; } \
        RECONVERGE_FETCH(T, channel, type, letter, "tex.1d", "s32", index, (cudaTextureObject_t object, int x), "%5", \
            "r"(x)) \
        RECONVERGE_FETCH(T, channel, type, letter, "tex.1d", "f32", line, (cudaTextureObject_t object, float x), "%5", \
            "f"(x)) \
        RECONVERGE_FETCH(T, channel, type, letter, "tex.2d", "f32", plane, \
            (cudaTextureObject_t object, float x, float y), "%5, %6", "f"(x), "f"(y)) \
        RECONVERGE_FETCH(T, channel, type, letter, "tex.3d", "f32", space, \
            (cudaTextureObject_t object, float x, float y, float z), "%5, %6, %7, %7", "f"(x), "f"(y), "f"(z)) \
        RECONVERGE_FETCH(T, channel, type, letter, "tex.cube", "f32", cube, \
            (cudaTextureObject_t object, float x, float y, float z), "%5, %6, %7, %7", "f"(x), "f"(y), "f"(z)) \
        RECONVERGE_FETCH(T, channel, type, letter, "tex.a1d", "f32", lines, \
            (cudaTextureObject_t object, float x, int layer), "%6, %5", "f"(x), "r"(layer)) \
        RECONVERGE_FETCH(T, channel, type, letter, "tex.a2d", "f32", planes, \
            (cudaTextureObject_t object, float x, float y, int layer), "%7, %5, %6, %6", "f"(x), "f"(y), "r"(layer)) \
        RECONVERGE_FETCH(T, channel, type, letter, "tex.acube", "f32", cubes, \
            (cudaTextureObject_t object, float x, float y, float z, int layer), "%8, %5, %6, %7", "f"(x), "f"(y), \
            "f"(z), "r"(layer)) \
        RECONVERGE_GATHER(channel, type, letter, r) \
        RECONVERGE_GATHER(channel, type, letter, g) \
        RECONVERGE_GATHER(channel, type, letter, b) \
        RECONVERGE_GATHER(channel, type, letter, a) \
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
#undef RECONVERGE_GATHER
#undef RECONVERGE_FETCH

// Each fetch returns the element, or writes it.
#define RECONVERGE_TEXTURE(function, name, arguments, ...) \
    template <class T> static __device__ T function(cudaTextureObject_t object, __VA_ARGS__) \
    { \
        return __texel<T>::name arguments; \
    } \
    template <class T> static __device__ void function(T *to, cudaTextureObject_t object, __VA_ARGS__) \
    { \
        *to = __texel<T>::name arguments; \
    }
RECONVERGE_TEXTURE(tex1Dfetch, index, (object, x), int x)
RECONVERGE_TEXTURE(tex1D, line, (object, x), float x)
RECONVERGE_TEXTURE(tex2D, plane, (object, x, y), float x, float y)
RECONVERGE_TEXTURE(tex3D, space, (object, x, y, z), float x, float y, float z)
RECONVERGE_TEXTURE(tex1DLayered, lines, (object, x, layer), float x, int layer)
RECONVERGE_TEXTURE(tex2DLayered, planes, (object, x, y, layer), float x, float y, int layer)
RECONVERGE_TEXTURE(texCubemap, cube, (object, x, y, z), float x, float y, float z)
RECONVERGE_TEXTURE(texCubemapLayered, cubes, (object, x, y, z, layer), float x, float y, float z, int layer)
#undef RECONVERGE_TEXTURE

// A channel of the four elements that a filter takes: left below, right below, right above, left above.
template <class T> static __device__ T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
    typename __texel<T>::channel_type found[4] = {};
    switch (channel) {
    case 0: __texel<T>::gather_r(found, object, x, y); break;
    case 1: __texel<T>::gather_g(found, object, x, y); break;
    case 2: __texel<T>::gather_b(found, object, x, y); break;
    case 3: __texel<T>::gather_a(found, object, x, y); break;
    }
    return __texel<T>::element(found[0], found[1], found[2], found[3]);
}
template <class T>
static __device__ void tex2Dgather(T *to, cudaTextureObject_t object, float x, float y, int channel = 0)
{
    *to = tex2Dgather<T>(object, x, y, channel);
}

template <class T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc();

// A reference is a variable of both sides; on the device it is the address of a descriptor. CUDA 12 has removed references.
template <class T, int dim = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
#if !defined(__CUDA_ARCH__)
    texture(int coordinates = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
        cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(coordinates, filter, address, cudaCreateChannelDesc<T>())
    {
    }
    texture(int coordinates, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc format)
        : textureReference()
    {
        normalized = coordinates;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = format;
    }
#endif
};

// The result of a fetch: the element, or fractions.
template <class T, cudaTextureReadMode mode> struct __texture_result { typedef T type; };
#define RECONVERGE_FRACTION(T, F) \
    template <> struct __texture_result<T, cudaReadModeNormalizedFloat> { typedef F type; };
#define RECONVERGE_FRACTIONS(V) \
    RECONVERGE_FRACTION(V##1, float1) \
    RECONVERGE_FRACTION(V##2, float2) \
    RECONVERGE_FRACTION(V##4, float4)
RECONVERGE_FRACTION(char, float)
RECONVERGE_FRACTION(signed char, float)
RECONVERGE_FRACTION(unsigned char, float)
RECONVERGE_FRACTION(short, float)
RECONVERGE_FRACTION(unsigned short, float)
RECONVERGE_FRACTIONS(char)
RECONVERGE_FRACTIONS(uchar)
RECONVERGE_FRACTIONS(short)
RECONVERGE_FRACTIONS(ushort)
#undef RECONVERGE_FRACTIONS
#undef RECONVERGE_FRACTION

template <class T> static __device__ cudaTextureObject_t __texture_address(T reference)
{
    cudaTextureObject_t object;
    __builtin_memcpy(&object, &reference, sizeof object);
    return object;
}
#define RECONVERGE_REFERENCE(function, dim, name, arguments, ...) \
    template <class T, cudaTextureReadMode mode> \
    static __device__ typename __texture_result<T, mode>::type function(texture<T, dim, mode> reference, __VA_ARGS__) \
    { \
        const cudaTextureObject_t object = __texture_address(reference); \
        return __texel<typename __texture_result<T, mode>::type>::name arguments; \
    }
RECONVERGE_REFERENCE(tex1Dfetch, cudaTextureType1D, index, (object, x), int x)
RECONVERGE_REFERENCE(tex1D, cudaTextureType1D, line, (object, x), float x)
RECONVERGE_REFERENCE(tex2D, cudaTextureType2D, plane, (object, x, y), float x, float y)
RECONVERGE_REFERENCE(tex3D, cudaTextureType3D, space, (object, x, y, z), float x, float y, float z)
RECONVERGE_REFERENCE(tex1DLayered, cudaTextureType1DLayered, lines, (object, x, layer), float x, int layer)
RECONVERGE_REFERENCE(tex2DLayered, cudaTextureType2DLayered, planes, (object, x, y, layer), float x, float y, int layer)
RECONVERGE_REFERENCE(texCubemap, cudaTextureTypeCubemap, cube, (object, x, y, z), float x, float y, float z)
RECONVERGE_REFERENCE(texCubemapLayered, cudaTextureTypeCubemapLayered, cubes, (object, x, y, z, layer), float x, float y, float z, int layer)
#undef RECONVERGE_REFERENCE

// The descriptor of a surface.
struct __surface {
    int normalized, modes[3];
    char *start;
    unsigned int width, height, pitch, bytes;
    int bits, kind, fraction, filter;
    unsigned int depth, slice;

    // The place of an element, with x in bytes. Outside: it is the nearest one, or there is none, or the kernel traps.
    template <class T> __device__ T *at(int x, int y, int z, cudaSurfaceBoundaryMode mode) const
    {
        int last = (int)(width * bytes) - (int)sizeof(T);
        if (x < 0 || x > last || y < 0 || y >= (int)height || z < 0 || z >= (int)depth) {
            if (mode == cudaBoundaryModeTrap)
                __builtin_trap();
            if (mode == cudaBoundaryModeZero)
                return 0;
            x = x > last ? last : x;
            y = y >= (int)height ? (int)height - 1 : y;
            z = z >= (int)depth ? (int)depth - 1 : z;
            x = x < 0 ? 0 : x;
            y = y < 0 ? 0 : y;
            z = z < 0 ? 0 : z;
        }
        return (T *)(start + (size_t)z * slice + (size_t)y * pitch + x);
    }
};

// Each load returns the element, or writes it. A store without a place goes nowhere.
#define RECONVERGE_SURFACE(shape, arguments, ...) \
    template <class T> \
    static __device__ T surf##shape##read(cudaSurfaceObject_t object, __VA_ARGS__, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        const T *from = ((const __surface *)object)->at<T> arguments; \
        return from ? *from : T(); \
    } \
    template <class T> \
    static __device__ void surf##shape##read(T *to, cudaSurfaceObject_t object, __VA_ARGS__, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        const T *from = ((const __surface *)object)->at<T> arguments; \
        *to = from ? *from : T(); \
    } \
    template <class T> \
    static __device__ void surf##shape##write(T value, cudaSurfaceObject_t object, __VA_ARGS__, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        T *to = ((const __surface *)object)->at<T> arguments; \
        if (to) \
            *to = value; \
    }
RECONVERGE_SURFACE(1D, (x, 0, 0, mode), int x)
RECONVERGE_SURFACE(2D, (x, y, 0, mode), int x, int y)
RECONVERGE_SURFACE(3D, (x, y, z, mode), int x, int y, int z)
RECONVERGE_SURFACE(1DLayered, (x, 0, layer, mode), int x, int layer)
RECONVERGE_SURFACE(2DLayered, (x, y, layer, mode), int x, int y, int layer)
RECONVERGE_SURFACE(Cubemap, (x, y, face, mode), int x, int y, int face)
RECONVERGE_SURFACE(CubemapLayered, (x, y, face, mode), int x, int y, int face)
#undef RECONVERGE_SURFACE

#endif

#endif
