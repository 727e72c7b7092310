// Textures: references (`texture<T, dim, mode>`) and objects (`cudaTextureObject_t`), the arrays that they read, and the
// host functions for them.
//
// A texture is a descriptor in device memory, which the host fills in. A fetch computes an address from it and loads
// from global memory. References are variables that both sides see.

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };
enum { cudaArrayDefault = 0 };

struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};

// An array has its rows one behind the other.
struct cudaArray {
    char *__base;
    size_t __width, __height;
    cudaChannelFormatDesc __desc;
};
typedef cudaArray *cudaArray_t;
typedef const cudaArray *cudaArray_const_t;

struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { void *devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
        struct { void *devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
    } res;
};

struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
};

// What an element type is made of, and the type in which it is read as fractions.

template <class T> struct __texel {
    static_assert(sizeof(T) == 0, "elements of textures are char, short, int, float, or vectors of 1, 2 or 4 of them");
    static const int channels = 1, bits = 0, kind = cudaChannelFormatKindNone;
};

#define __TEXEL(T, N, F, kind_of, ...) \
    template <> struct __texel<T> { \
        static const int channels = N, bits = sizeof(T) / N * 8, kind = kind_of; \
        typedef F fraction; \
        static __device__ F as_fraction(T a) { return __VA_ARGS__; } \
    };
#define __TEXELS(P, V, kind, f) \
    __TEXEL(P, 1, float, kind, f(a)) \
    __TEXEL(V##1, 1, float1, kind, make_float1(f(a.x))) \
    __TEXEL(V##2, 2, float2, kind, make_float2(f(a.x), f(a.y))) \
    __TEXEL(V##4, 4, float4, kind, make_float4(f(a.x), f(a.y), f(a.z), f(a.w)))

#define __TEXEL_UCHAR(a) (a) / 255.0f
#define __TEXEL_CHAR(a) fmaxf((a) / 127.0f, -1.0f)
#define __TEXEL_USHORT(a) (a) / 65535.0f
#define __TEXEL_SHORT(a) fmaxf((a) / 32767.0f, -1.0f)
#define __TEXEL_AS_IT_IS(a) (float)(a)

__TEXELS(unsigned char, uchar, cudaChannelFormatKindUnsigned, __TEXEL_UCHAR)
__TEXELS(char, char, cudaChannelFormatKindSigned, __TEXEL_CHAR)
__TEXEL(signed char, 1, float, cudaChannelFormatKindSigned, __TEXEL_CHAR(a))
__TEXELS(unsigned short, ushort, cudaChannelFormatKindUnsigned, __TEXEL_USHORT)
__TEXELS(short, short, cudaChannelFormatKindSigned, __TEXEL_SHORT)
__TEXELS(unsigned int, uint, cudaChannelFormatKindUnsigned, __TEXEL_AS_IT_IS)
__TEXELS(int, int, cudaChannelFormatKindSigned, __TEXEL_AS_IT_IS)
__TEXELS(float, float, cudaChannelFormatKindFloat, __TEXEL_AS_IT_IS)

static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f)
{
    cudaChannelFormatDesc desc = {x, y, z, w, f};
    return desc;
}

template <class T> cudaChannelFormatDesc cudaCreateChannelDesc()
{
    const int bits = __texel<T>::bits, channels = __texel<T>::channels;
    cudaChannelFormatDesc desc = {
        bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, (cudaChannelFormatKind)__texel<T>::kind
    };
    return desc;
}

static inline size_t __texel_bytes(const cudaChannelFormatDesc &desc)
{
    return (desc.x + desc.y + desc.z + desc.w) / 8;
}

// What the host cannot have is said on standard error; the texture stays unbound, so that fetches trap.
static inline cudaError_t __texture_refused(const char *function, const char *what)
{
    fprintf(stderr, "%s: %s\n", function, what);
    return cudaErrorNotSupported;
}

// References. They and objects begin alike: fetches of PTX read both (`compiler/src/ptx/texture.rs`).

template <class T, int dim, int mode> struct __texture_reference {
    static_assert(mode == cudaReadModeElementType || __texel<T>::bits < 32, "elements of 32 bits are not read as fractions");
    int normalized;
    cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
    const char *__base;
    unsigned int __width, __height, __pitch, __bytes, __channel_bits;
    int __channel_kind, __fraction_bits;
    cudaTextureFilterMode filterMode;
    cudaChannelFormatDesc channelDesc;
};
template <class T, int dim = 1, int mode = cudaReadModeElementType> using texture = __texture_reference<T, dim, mode>;

template <class T, int mode> struct __texture_result { typedef T type; };
template <class T> struct __texture_result<T, 1> { typedef typename __texel<T>::fraction type; };

// Objects are addresses of these.

typedef unsigned long long cudaTextureObject_t;

struct __texture_object {
    int normalized;
    cudaTextureAddressMode addressMode[3];
    const char *__base;
    unsigned int __width, __height, __pitch, __bytes, __channel_bits;
    // Fraction bits of 0: elements are read as they are; otherwise as fractions.
    int __channel_kind, __fraction_bits;
    cudaResourceDesc __resource;
    cudaTextureDesc __texture;
};

// The element at a coordinate; -1: none. Of what is not bound it is the one at 0, which is never mapped.

static inline __device__ int __texture_place(float at, unsigned int count, int normalized, int mode)
{
    const int n = (int)count;
    if (normalized) {
        float whole = floorf(at);
        if (mode == cudaAddressModeWrap)
            at -= whole;
        else if (mode == cudaAddressModeMirror)
            at = (int)whole & 1 ? 1.0f - (at - whole) : at - whole;
        at *= n;
    }
    const int place = (int)floorf(at);
    if (mode == cudaAddressModeBorder && n > 0 && (place < 0 || place >= n))
        return -1;
    return max(min(place, n - 1), 0);
}

// Fetches. An element through a reference, or through an object; nothing is zero.

template <class T, int mode> struct __texture_fetch {
    static __device__ T read(const char *from) { return *(const T *)from; }
};
template <class T> struct __texture_fetch<T, 1> {
    static __device__ typename __texel<T>::fraction read(const char *from)
    {
        return __texel<T>::as_fraction(*(const T *)from);
    }
};

#define __TEXTURE_RESULT typename __texture_result<T, mode>::type

template <class T, int dim, int mode>
__device__ __TEXTURE_RESULT __texture_read(const __texture_reference<T, dim, mode> &texture, int column, int row)
{
    if ((column | row) < 0) {
        __TEXTURE_RESULT nothing = {};
        return nothing;
    }
    return __texture_fetch<T, mode>::read(texture.__base + row * texture.__pitch + column * sizeof(T));
}

template <class T> struct __texture_object_fetch {
    static __device__ T read(const __texture_object &texture, const char *from)
    {
        bool type_of_fetch_fits_texture = texture.__bytes == sizeof(T);
        assert(type_of_fetch_fits_texture);
        return *(const T *)from;
    }
};

#define __TEXTURE_OBJECT_FETCH(F, N, V)     template <> struct __texture_object_fetch<F> {         static __device__ F read(const __texture_object &texture, const char *from)         {             const int bits = texture.__fraction_bits;             if (bits == 0) {                 bool type_of_fetch_fits_texture = texture.__bytes == sizeof(F);                 assert(type_of_fetch_fits_texture);                 return *(const F *)from;             }             bool type_of_fetch_fits_texture = texture.__bytes == N * bits / 8;             assert(type_of_fetch_fits_texture);             if (texture.__channel_kind == cudaChannelFormatKindUnsigned) {                 if (bits == 8)                     return __texel<uchar##V>::as_fraction(*(const uchar##V *)from);                 return __texel<ushort##V>::as_fraction(*(const ushort##V *)from);             }             if (bits == 8)                 return __texel<char##V>::as_fraction(*(const char##V *)from);             return __texel<short##V>::as_fraction(*(const short##V *)from);         }     };
__TEXTURE_OBJECT_FETCH(float, 1, )
__TEXTURE_OBJECT_FETCH(float1, 1, 1)
__TEXTURE_OBJECT_FETCH(float2, 2, 2)
__TEXTURE_OBJECT_FETCH(float4, 4, 4)

template <class T> __device__ T __texture_object_read(const __texture_object &texture, int column, int row)
{
    if ((column | row) < 0) {
        T nothing;
        return nothing;
    }
    const char *from = texture.__base + row * texture.__pitch + column * texture.__bytes;
    return __texture_object_fetch<T>::read(texture, from);
}

template <class D> __device__ int __texture_column(const D &texture, float x)
{
    return __texture_place(x, texture.__width, texture.normalized, texture.addressMode[0]);
}

template <class D> __device__ int __texture_row(const D &texture, float y)
{
    return __texture_place(y, texture.__height, texture.normalized, texture.addressMode[1]);
}

// Of an index; beyond the end of what is bound is nothing.
template <class D> __device__ int __texture_index(const D &texture, int i)
{
    if ((unsigned int)i < texture.__width)
        return i;
    return texture.__base == 0 ? 0 : -1;
}

template <class T, int mode> __device__ __TEXTURE_RESULT tex1Dfetch(const __texture_reference<T, 1, mode> &texture, int i)
{
    return __texture_read(texture, __texture_index(texture, i), 0);
}

template <class T, int mode> __device__ __TEXTURE_RESULT tex1D(const __texture_reference<T, 1, mode> &texture, float x)
{
    return __texture_read(texture, __texture_column(texture, x), 0);
}

template <class T, int mode>
__device__ __TEXTURE_RESULT tex2D(const __texture_reference<T, 2, mode> &texture, float x, float y)
{
    return __texture_read(texture, __texture_column(texture, x), __texture_row(texture, y));
}

template <class T> __device__ T tex1Dfetch(cudaTextureObject_t object, int i)
{
    const __texture_object &texture = *(const __texture_object *)object;
    return __texture_object_read<T>(texture, __texture_index(texture, i), 0);
}

template <class T> __device__ T tex1D(cudaTextureObject_t object, float x)
{
    const __texture_object &texture = *(const __texture_object *)object;
    return __texture_object_read<T>(texture, __texture_column(texture, x), 0);
}

template <class T> __device__ T tex2D(cudaTextureObject_t object, float x, float y)
{
    const __texture_object &texture = *(const __texture_object *)object;
    return __texture_object_read<T>(texture, __texture_column(texture, x), __texture_row(texture, y));
}

template <class T> __device__ void tex1Dfetch(T *to, cudaTextureObject_t object, int i)
{
    *to = tex1Dfetch<T>(object, i);
}

template <class T> __device__ void tex1D(T *to, cudaTextureObject_t object, float x) { *to = tex1D<T>(object, x); }

template <class T> __device__ void tex2D(T *to, cudaTextureObject_t object, float x, float y)
{
    *to = tex2D<T>(object, x, y);
}

// Binding.

template <class T, int dim, int mode> cudaError_t cudaUnbindTexture(const __texture_reference<T, dim, mode> &constant)
{
    __texture_reference<T, dim, mode> &texture = *const_cast<__texture_reference<T, dim, mode> *>(&constant);
    texture.__base = 0;
    texture.__width = 0;
    texture.__height = 0;
    return cudaSuccess;
}

template <class T, int dim, int mode>
cudaError_t __texture_bind(
    const __texture_reference<T, dim, mode> &constant, const void *base, const cudaChannelFormatDesc &desc, size_t width,
    size_t height, size_t pitch
)
{
    __texture_reference<T, dim, mode> &texture = *const_cast<__texture_reference<T, dim, mode> *>(&constant);
    if (__texel_bytes(desc) != sizeof(T))
        return cudaErrorInvalidValue;
    texture.channelDesc = desc;
    texture.__base = (const char *)base;
    texture.__width = (unsigned int)(width < UINT_MAX ? width : UINT_MAX);
    texture.__height = (unsigned int)height;
    texture.__pitch = (unsigned int)pitch;
    texture.__bytes = sizeof(T);
    texture.__channel_bits = desc.x;
    texture.__channel_kind = desc.f;
    texture.__fraction_bits = mode == cudaReadModeNormalizedFloat ? desc.x : 0;
    return cudaSuccess;
}

template <class T, int mode>
cudaError_t cudaBindTexture(
    size_t *offset, const __texture_reference<T, 1, mode> &texture, const void *base, const cudaChannelFormatDesc &desc,
    size_t size = UINT_MAX
)
{
    if (offset != NULL)
        *offset = 0;
    return __texture_bind(texture, base, desc, size / sizeof(T), 1, size);
}

template <class T, int mode>
cudaError_t cudaBindTexture(
    size_t *offset, const __texture_reference<T, 1, mode> &texture, const void *base, size_t size = UINT_MAX
)
{
    return cudaBindTexture(offset, texture, base, cudaCreateChannelDesc<T>(), size);
}

template <class T, int mode>
cudaError_t cudaBindTexture2D(
    size_t *offset, const __texture_reference<T, 2, mode> &texture, const void *base, const cudaChannelFormatDesc &desc,
    size_t width, size_t height, size_t pitch
)
{
    if (offset != NULL)
        *offset = 0;
    if (texture.filterMode != cudaFilterModePoint) {
        cudaUnbindTexture(texture);
        return __texture_refused("cudaBindTexture2D", "linear filtering is not modelled");
    }
    return __texture_bind(texture, base, desc, width, height, pitch);
}

template <class T, int mode>
cudaError_t cudaBindTexture2D(
    size_t *offset, const __texture_reference<T, 2, mode> &texture, const void *base, size_t width, size_t height,
    size_t pitch
)
{
    return cudaBindTexture2D(offset, texture, base, cudaCreateChannelDesc<T>(), width, height, pitch);
}

template <class T, int dim, int mode>
cudaError_t cudaBindTextureToArray(
    const __texture_reference<T, dim, mode> &texture, const cudaArray *array, const cudaChannelFormatDesc &desc
)
{
    if (array == NULL || __texel_bytes(desc) != __texel_bytes(array->__desc))
        return cudaErrorInvalidValue;
    if (texture.filterMode != cudaFilterModePoint) {
        cudaUnbindTexture(texture);
        return __texture_refused("cudaBindTextureToArray", "linear filtering is not modelled");
    }
    const size_t rows = array->__height ? array->__height : 1;
    const size_t pitch = array->__width * sizeof(T);
    return __texture_bind(texture, array->__base, desc, array->__width, rows, pitch);
}

template <class T, int dim, int mode>
cudaError_t cudaBindTextureToArray(const __texture_reference<T, dim, mode> &texture, const cudaArray *array)
{
    return cudaBindTextureToArray(texture, array, cudaCreateChannelDesc<T>());
}

// The same of C, which takes addresses.

template <class T, int dim, int mode> cudaError_t cudaUnbindTexture(const __texture_reference<T, dim, mode> *texture)
{
    return cudaUnbindTexture(*texture);
}

template <class T, int mode>
cudaError_t cudaBindTexture(
    size_t *offset, const __texture_reference<T, 1, mode> *texture, const void *base, const cudaChannelFormatDesc *desc,
    size_t size = UINT_MAX
)
{
    return cudaBindTexture(offset, *texture, base, *desc, size);
}

template <class T, int mode>
cudaError_t cudaBindTexture2D(
    size_t *offset, const __texture_reference<T, 2, mode> *texture, const void *base, const cudaChannelFormatDesc *desc,
    size_t width, size_t height, size_t pitch
)
{
    return cudaBindTexture2D(offset, *texture, base, *desc, width, height, pitch);
}

template <class T, int dim, int mode>
cudaError_t cudaBindTextureToArray(
    const __texture_reference<T, dim, mode> *texture, const cudaArray *array, const cudaChannelFormatDesc *desc
)
{
    return cudaBindTextureToArray(*texture, array, *desc);
}

template <class T, int dim, int mode>
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const __texture_reference<T, dim, mode> *texture)
{
    return cudaGetTextureAlignmentOffset(offset, *texture);
}

template <class T, int dim, int mode>
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const __texture_reference<T, dim, mode> &texture)
{
    *offset = 0;
    return cudaSuccess;
}

// Arrays.

static inline cudaError_t cudaMallocArray(
    cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width, size_t height = 0, unsigned int flags = 0
)
{
    if (flags != cudaArrayDefault)
        return __texture_refused("cudaMallocArray", "arrays of other kinds are not modelled");
    if (width == 0)
        return cudaErrorInvalidValue;
    cudaArray_t made = (cudaArray_t)malloc(sizeof(cudaArray));
    if (made == NULL)
        return cudaErrorMemoryAllocation;
    const cudaError_t error = cudaMalloc(&made->__base, width * (height ? height : 1) * __texel_bytes(*desc));
    if (error != cudaSuccess) {
        free(made);
        return error;
    }
    made->__width = width;
    made->__height = height;
    made->__desc = *desc;
    *array = made;
    return cudaSuccess;
}

static inline cudaError_t cudaFreeArray(cudaArray_t array)
{
    if (array == NULL)
        return cudaSuccess;
    const cudaError_t error = cudaFree(array->__base);
    free(array);
    return error;
}

static inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    *desc = array->__desc;
    return cudaSuccess;
}

static inline size_t __array_row(const cudaArray *array) { return array->__width * __texel_bytes(array->__desc); }

// Whether bytes from a place on are in an array.
static inline bool __array_holds(const cudaArray *array, size_t x, size_t y, size_t count)
{
    const size_t row = __array_row(array), rows = array->__height ? array->__height : 1;
    return x < row && y < rows && y * row + x + count <= row * rows;
}

static inline bool __array_holds_rows(const cudaArray *array, size_t x, size_t y, size_t width, size_t height)
{
    const size_t rows = array->__height ? array->__height : 1;
    return x + width <= __array_row(array) && y + height <= rows;
}

static inline cudaError_t cudaMemcpyToArray(
    cudaArray_t to, size_t x, size_t y, const void *from, size_t count, cudaMemcpyKind kind
)
{
    if (!__array_holds(to, x, y, count))
        return cudaErrorInvalidValue;
    return cudaMemcpy(to->__base + y * __array_row(to) + x, from, count, kind);
}

static inline cudaError_t cudaMemcpyToArrayAsync(
    cudaArray_t to, size_t x, size_t y, const void *from, size_t count, cudaMemcpyKind kind, cudaStream_t stream = 0
)
{
    return cudaMemcpyToArray(to, x, y, from, count, kind);
}

static inline cudaError_t cudaMemcpyFromArray(
    void *to, cudaArray_const_t from, size_t x, size_t y, size_t count, cudaMemcpyKind kind
)
{
    if (!__array_holds(from, x, y, count))
        return cudaErrorInvalidValue;
    return cudaMemcpy(to, from->__base + y * __array_row(from) + x, count, kind);
}

static inline cudaError_t cudaMemcpy2DToArray(
    cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind kind
)
{
    if (!__array_holds_rows(to, x, y, width, height))
        return cudaErrorInvalidValue;
    const size_t row = __array_row(to);
    return cudaMemcpy2D(to->__base + y * row + x, row, from, pitch, width, height, kind);
}

static inline cudaError_t cudaMemcpy2DFromArray(
    void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind kind
)
{
    if (!__array_holds_rows(from, x, y, width, height))
        return cudaErrorInvalidValue;
    const size_t row = __array_row(from);
    return cudaMemcpy2D(to, pitch, from->__base + y * row + x, row, width, height, kind);
}

// Objects.

static inline cudaError_t cudaCreateTextureObject(
    cudaTextureObject_t *object, const cudaResourceDesc *resource, const cudaTextureDesc *texture, const void *view = NULL
)
{
    const char *function = "cudaCreateTextureObject";
    *object = 0;
    if (view != NULL)
        return __texture_refused(function, "views of resources are not modelled");
    // An index is never filtered.
    if (texture->filterMode != cudaFilterModePoint && resource->resType != cudaResourceTypeLinear)
        return __texture_refused(function, "linear filtering is not modelled");
    if (texture->sRGB)
        return __texture_refused(function, "colours of sRGB are not modelled");
    if (resource->resType == cudaResourceTypeMipmappedArray)
        return __texture_refused(function, "mipmaps are not modelled");
    for (int i = 0; i < 4; i++)
        if (texture->borderColor[i] != 0)
            return __texture_refused(function, "borders of another colour than zero are not modelled");

    __texture_object made = {};
    cudaChannelFormatDesc desc;
    if (resource->resType == cudaResourceTypeArray) {
        const cudaArray_t array = resource->res.array.array;
        desc = array->__desc;
        made.__base = array->__base;
        made.__width = (unsigned int)array->__width;
        made.__height = (unsigned int)(array->__height ? array->__height : 1);
        made.__pitch = (unsigned int)__array_row(array);
    } else if (resource->resType == cudaResourceTypePitch2D) {
        desc = resource->res.pitch2D.desc;
        made.__base = (const char *)resource->res.pitch2D.devPtr;
        made.__width = (unsigned int)resource->res.pitch2D.width;
        made.__height = (unsigned int)resource->res.pitch2D.height;
        made.__pitch = (unsigned int)resource->res.pitch2D.pitchInBytes;
    } else {
        desc = resource->res.linear.desc;
        made.__base = (const char *)resource->res.linear.devPtr;
        made.__height = 1;
    }
    made.__bytes = (unsigned int)__texel_bytes(desc);
    if (made.__base == NULL || made.__bytes == 0)
        return cudaErrorInvalidValue;
    if (resource->resType == cudaResourceTypeLinear)
        made.__width = (unsigned int)(resource->res.linear.sizeInBytes / made.__bytes);
    if (texture->readMode == cudaReadModeNormalizedFloat && desc.f != cudaChannelFormatKindFloat) {
        if (desc.x != 8 && desc.x != 16)
            return cudaErrorInvalidValue;
        made.__fraction_bits = desc.x;
    }
    made.__channel_bits = desc.x;
    made.__channel_kind = desc.f;
    made.normalized = texture->normalizedCoords;
    made.addressMode[0] = texture->addressMode[0];
    made.addressMode[1] = texture->addressMode[1];
    made.__resource = *resource;
    made.__texture = *texture;

    __texture_object *kept;
    const cudaError_t error = cudaMallocManaged(&kept, sizeof *kept);
    if (error != cudaSuccess)
        return error;
    *kept = made;
    *object = (cudaTextureObject_t)kept;
    return cudaSuccess;
}

static inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    return cudaFree((void *)object);
}

static inline cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object)
{
    *resource = ((const __texture_object *)object)->__resource;
    return cudaSuccess;
}

static inline cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t object)
{
    *texture = ((const __texture_object *)object)->__texture;
    return cudaSuccess;
}
