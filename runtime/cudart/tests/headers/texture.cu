// CUDA arrays, textures and surfaces: fetches by index and by coordinates, address modes, fractions, copies and errors.

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static int faults = 0;

#define IS(call, expected) \
    do { \
        double is = (double)(call), should_be = (double)(expected); \
        if (is != should_be) { \
            std::printf("line %d: %s is %g, expected %g\n", __LINE__, #call, is, should_be); \
            faults++; \
        } \
    } while (0)

constexpr int W = 8, H = 4;

__global__ void by_index(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, (int)threadIdx.x - 1);
}
__global__ void plane(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.y * 16 + threadIdx.x] = tex2D<float>(texture, (int)threadIdx.x - 4 + 0.5f, threadIdx.y + 0.5f);
}
__global__ void normalized(cudaTextureObject_t texture, float4 *out)
{
    out[threadIdx.x] = tex1D<float4>(texture, (threadIdx.x + 0.5f) / 4 - 1);
}
__global__ void bytes(cudaTextureObject_t texture, uchar4 *out)
{
    tex1Dfetch(&out[threadIdx.x], texture, (int)threadIdx.x);
}
__global__ void invert(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x, y = threadIdx.y;
    float value = surf2Dread<float>(from, x * (int)sizeof(float), y);
    surf2Dwrite(-value, to, (W - 1 - x) * (int)sizeof(float), y);
    surf2Dwrite(1.0f, to, W * (int)sizeof(float), y, cudaBoundaryModeZero);
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &resource, cudaTextureAddressMode mode,
    cudaTextureReadMode read, int normalized)
{
    cudaTextureDesc description;
    std::memset(&description, 0, sizeof description);
    description.addressMode[0] = description.addressMode[1] = mode;
    description.readMode = read;
    description.normalizedCoords = normalized;
    cudaTextureObject_t texture = 0;
    IS(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
    return texture;
}

int main()
{
    float host[H][W], back[H][W], *device;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            host[y][x] = 10 * y + x;
    cudaMallocManaged(&device, 64 * sizeof(float4));

    // Linear memory.
    float *line;
    cudaMalloc(&line, sizeof host);
    cudaMemcpy(line, host, sizeof host, cudaMemcpyHostToDevice);
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = line;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = W * sizeof(float);
    cudaTextureObject_t linear = texture_of(resource, cudaAddressModeClamp, cudaReadModeElementType, 0);
    by_index<<<1, 16>>>(linear, device);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(device[0], 0);
    IS(device[1], 0);
    IS(device[8], 7);
    IS(device[9], 0);
    cudaResourceDesc again;
    IS(cudaGetTextureObjectResourceDesc(&again, linear), cudaSuccess);
    IS(again.res.linear.devPtr == line, 1);
    IS(cudaDestroyTextureObject(linear), cudaSuccess);
    IS(cudaDestroyTextureObject(linear), cudaErrorInvalidValue);

    // An array, copied in parts.
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), found;
    cudaArray_t array, other;
    cudaExtent extent;
    unsigned int flags;
    IS(cudaMallocArray(&array, &format, W, H, cudaArraySurfaceLoadStore), cudaSuccess);
    IS(cudaMallocArray(&other, &format, W, H, cudaArraySurfaceLoadStore), cudaSuccess);
    IS(cudaArrayGetInfo(&found, &extent, &flags, array), cudaSuccess);
    IS(found.x == 32 && extent.width == W && extent.height == H && flags == cudaArraySurfaceLoadStore, 1);
    size_t row = W * sizeof(float);
    IS(cudaMemcpy2DToArray(array, 0, 0, host, row, row, 2, cudaMemcpyHostToDevice), cudaSuccess);
    IS(cudaMemcpyToArray(array, 0, 2, host[2], row * 2, cudaMemcpyHostToDevice), cudaSuccess);
    IS(cudaMemcpy2DToArray(array, 4, 0, host, row, row, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpy2DFromArray(back, row, array, 0, 0, row, H, cudaMemcpyDeviceToHost), cudaSuccess);
    IS(std::memcmp(host, back, sizeof host), 0);
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t clamp = texture_of(resource, cudaAddressModeClamp, cudaReadModeElementType, 0);
    plane<<<1, dim3(16, H)>>>(clamp, device);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(device[0], 0);
    IS(device[16 + 5], 11);
    IS(device[3 * 16 + 15], 37);
    cudaTextureObject_t border = texture_of(resource, cudaAddressModeBorder, cudaReadModeElementType, 0);
    plane<<<1, dim3(16, H)>>>(border, device);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(device[3 * 16 + 11], 37);
    IS(device[3 * 16 + 12], 0);

    // Surfaces.
    cudaSurfaceObject_t from, to;
    IS(cudaCreateSurfaceObject(&from, &resource), cudaSuccess);
    resource.res.array.array = other;
    IS(cudaCreateSurfaceObject(&to, &resource), cudaSuccess);
    invert<<<1, dim3(W, H)>>>(from, to);
    cudaMemcpy3DParms copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcArray = other;
    copy.dstPtr = make_cudaPitchedPtr(back, row, W, H);
    copy.extent = make_cudaExtent(W, H, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    IS(cudaMemcpy3D(&copy), cudaSuccess);
    IS(back[2][1], -26);
    IS(back[3][0], -37);

    // Fractions of bytes, in coordinates from 0 to 1.
    uchar4 colours[4] = {{0, 51, 102, 255}, {51, 0, 0, 0}, {102, 0, 0, 0}, {255, 0, 0, 0}}, *pixels;
    cudaMalloc(&pixels, sizeof colours);
    cudaMemcpy(pixels, colours, sizeof colours, cudaMemcpyHostToDevice);
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pixels;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 1;
    resource.res.pitch2D.pitchInBytes = sizeof colours;
    cudaTextureObject_t wrap = texture_of(resource, cudaAddressModeWrap, cudaReadModeNormalizedFloat, 1);
    float4 *fours = (float4 *)device;
    normalized<<<1, 8>>>(wrap, fours);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(fours[0].y == 0.2f && fours[0].z == 0.4f && fours[0].w == 1.0f, 1);
    IS(fours[3].x, 1);
    IS(fours[5].x == 0.2f, 1);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.sizeInBytes = sizeof colours;
    cudaTextureObject_t whole = texture_of(resource, cudaAddressModeClamp, cudaReadModeElementType, 0);
    bytes<<<1, 4>>>(whole, (uchar4 *)device);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(std::memcmp(device, colours, sizeof colours), 0);

    // Calls that are not modelled, and wrong handles.
    cudaTextureDesc description;
    std::memset(&description, 0, sizeof description);
    description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t none = 0;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    description.sRGB = 1;
    IS(cudaCreateTextureObject(&none, &resource, &description, nullptr), cudaErrorNotSupported);
    description.sRGB = 0;
    IS(cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 0, 4)), cudaErrorInvalidValue);
    IS(cudaFree((void *)clamp), cudaErrorInvalidValue);
    IS(cudaDestroySurfaceObject(clamp), cudaErrorInvalidValue);
    IS(cudaDestroySurfaceObject(from), cudaSuccess);
    IS(cudaFreeArray(array), cudaSuccess);
    IS(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
    description.filterMode = cudaFilterModePoint;
    IS(cudaCreateTextureObject(&none, &resource, &description, nullptr), cudaErrorInvalidResourceHandle);
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
