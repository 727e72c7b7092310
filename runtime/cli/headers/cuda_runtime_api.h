// Functions of CUDA's runtime.

#ifndef RECONVERGE_CUDA_RUNTIME_API_H
#define RECONVERGE_CUDA_RUNTIME_API_H
// Programs test the name of CUDA's own guard.
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"
#include <stdint.h>

#define CUDART_VERSION 12000

#ifdef __cplusplus
#include <utility>

extern "C" {
#define RECONVERGE_OR(value) = value
#else
#define RECONVERGE_OR(value)
#endif

#define cudaGetDeviceProperties cudaGetDeviceProperties_v2

// Errors.
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

// The device.
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *configuration);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache configuration);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *configuration);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig configuration);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

// Memory.
cudaError_t cudaMalloc(void **memory, size_t size);
cudaError_t cudaMallocHost(void **memory, size_t size);
cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *memory, struct cudaExtent extent);
cudaError_t cudaMallocManaged(void **memory, size_t size, unsigned int flags RECONVERGE_OR(cudaMemAttachGlobal));
cudaError_t cudaMallocAsync(void **memory, size_t size, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **memory, size_t size, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned int flags);
cudaError_t cudaHostRegister(void *memory, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
cudaError_t cudaFree(void *memory);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *memory);
cudaError_t cudaMemAdvise(const void *memory, size_t count, enum cudaMemoryAdvise advice, int device);
cudaError_t cudaMemPrefetchAsync(const void *memory, size_t count, int device, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory, size_t length RECONVERGE_OR(0),
    unsigned int flags RECONVERGE_OR(cudaMemAttachSingle));
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept);

// Copies, fills and symbols.
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
    cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
    cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
    enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemset(void *to, int value, size_t size);
cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
    cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset RECONVERGE_OR(0),
    enum cudaMemcpyKind kind RECONVERGE_OR(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
    enum cudaMemcpyKind kind, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset RECONVERGE_OR(0),
    enum cudaMemcpyKind kind RECONVERGE_OR(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
    enum cudaMemcpyKind kind, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

// Arrays, textures and surfaces.
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width,
    size_t height RECONVERGE_OR(0), unsigned int flags RECONVERGE_OR(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
    struct cudaExtent extent, unsigned int flags RECONVERGE_OR(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned int *flags,
    cudaArray_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
    enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t count,
    enum cudaMemcpyKind kind, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count,
    enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count,
    enum cudaMemcpyKind kind, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
    size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
    size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
    size_t from_y, size_t width, size_t height, enum cudaMemcpyKind kind RECONVERGE_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
    const struct cudaTextureDesc *description, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *description, cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *memory,
    const struct cudaChannelFormatDesc *format, size_t size RECONVERGE_OR(0xffffffff));
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference, const void *memory,
    const struct cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_const_t array,
    const struct cudaChannelFormatDesc *format);
cudaError_t cudaUnbindTexture(const struct textureReference *reference);
cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *symbol);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface);

// Streams and events.
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags RECONVERGE_OR(0));
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream RECONVERGE_OR(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

// Graphs.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
    const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
    const struct cudaMemcpy3DParms *copy);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
    size_t count, void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
    const struct cudaMemsetParams *parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
    const struct cudaHostNodeParams *parameters);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
    size_t count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *launchable, cudaGraph_t graph,
    unsigned long long flags RECONVERGE_OR(0));
cudaError_t cudaGraphLaunch(cudaGraphExec_t launchable, cudaStream_t stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t launchable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t launchable);

// Kernels.
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
    cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
    cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *function, void **arguments);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache configuration);
cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig configuration);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t shared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
    size_t shared, unsigned int flags);

#undef RECONVERGE_OR
#ifdef __cplusplus
}

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return cudaExtent{width, height, depth};
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *memory, size_t pitch, size_t width, size_t height)
{
    return cudaPitchedPtr{memory, pitch, width, height};
}

static inline struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
    enum cudaChannelFormatKind kind)
{
    return cudaChannelFormatDesc{x, y, z, w, kind};
}
template <class T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc();
#define RECONVERGE_FORMAT(T, channels, bits, kind) \
    template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<T>() \
    { \
        return cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, \
            cudaChannelFormatKind##kind); \
    }
#define RECONVERGE_FORMATS(T, V, kind) \
    RECONVERGE_FORMAT(T, 1, 8 * (int)sizeof(T), kind) \
    RECONVERGE_FORMAT(V##1, 1, 8 * (int)sizeof(T), kind) \
    RECONVERGE_FORMAT(V##2, 2, 8 * (int)sizeof(T), kind) \
    RECONVERGE_FORMAT(V##4, 4, 8 * (int)sizeof(T), kind)
RECONVERGE_FORMAT(char, 1, 8, Signed)
RECONVERGE_FORMATS(signed char, char, Signed)
RECONVERGE_FORMATS(unsigned char, uchar, Unsigned)
RECONVERGE_FORMATS(short, short, Signed)
RECONVERGE_FORMATS(unsigned short, ushort, Unsigned)
RECONVERGE_FORMATS(int, int, Signed)
RECONVERGE_FORMATS(unsigned int, uint, Unsigned)
RECONVERGE_FORMATS(float, float, Float)
#undef RECONVERGE_FORMATS
#undef RECONVERGE_FORMAT

// The same for pointers and symbols of any type.
template <class T> static inline cudaError_t cudaMalloc(T **memory, size_t size)
{
    return cudaMalloc((void **)memory, size);
}
template <class T> static inline cudaError_t cudaMallocHost(T **memory, size_t size, unsigned int = 0)
{
    return cudaMallocHost((void **)memory, size);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **memory, size_t size, unsigned int flags)
{
    return cudaHostAlloc((void **)memory, size, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **memory, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)memory, size, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)memory, pitch, width, height);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **memory, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync((void **)memory, size, stream);
}
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, size, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    return cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return cudaGetSymbolSize(size, (const void *)&symbol);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *launchable, cudaGraph_t graph,
    unsigned long long flags = 0)
{
    return cudaGraphInstantiateWithFlags(launchable, graph, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *launchable, cudaGraph_t graph, cudaGraphNode_t *,
    char *, size_t)
{
    return cudaGraphInstantiateWithFlags(launchable, graph, 0);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
    cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments,
    size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *configuration, void (*function)(P...),
    A &&...arguments)
{
    return [&](P... values) {
        void *all[] = {&values..., 0};
        return cudaLaunchKernelExC(configuration, (const void *)function, all);
    }(std::forward<A>(arguments)...);
}
template <class T> static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function)
{
    return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *function, enum cudaFuncCache configuration)
{
    return cudaFuncSetCacheConfig((const void *)function, configuration);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int threads,
    size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, threads, shared);
}

// The block size with the most resident threads, and the fewest blocks that fill the device.
template <class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T function, F shared,
    int limit = 0)
{
    int device, sms, warp, best = 0;
    cudaFuncAttributes attributes;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&attributes, function);
    if (error != cudaSuccess)
        return error;
    int most = limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
    for (int threads = most / warp * warp; threads > 0; threads -= warp) {
        int blocks;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, threads, shared(threads));
        if (error != cudaSuccess)
            return error;
        if (blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *grid = blocks * sms;
        }
    }
    return cudaSuccess;
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function, size_t shared = 0,
    int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, [=](int) { return shared; }, limit);
}
#endif

#endif
