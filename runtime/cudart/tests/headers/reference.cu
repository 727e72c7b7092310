// Texture references: bound to linear memory, to rows and to arrays, with fractions and filters.

#include <cstdio>
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

texture<float, cudaTextureType1D, cudaReadModeElementType> line;
texture<float, 2> plane;
texture<uchar4, 2, cudaReadModeNormalizedFloat> pixels;
static texture<int4> fours;
texture<float, cudaTextureType2DLayered> layers;

__global__ void by_index(float *out) { out[threadIdx.x] = tex1Dfetch(line, (int)threadIdx.x - 1); }
__global__ void at(float *out) { out[threadIdx.x] = tex2D(plane, threadIdx.x / 2.0f, 1.5f); }
__global__ void colours(float4 *out) { out[threadIdx.x] = tex2D(pixels, threadIdx.x + 0.5f, 0.5f); }
__global__ void whole(int4 *out) { out[threadIdx.x] = tex1Dfetch(fours, threadIdx.x); }
__global__ void deep(float *out) { out[threadIdx.x] = tex2DLayered(layers, 0.5f, 1.5f, threadIdx.x); }

int main()
{
    float host[3][2][4], *memory, *out;
    for (int i = 0; i < 24; i++)
        (&host[0][0][0])[i] = (float)(i * i);
    cudaMalloc(&memory, sizeof host);
    cudaMallocManaged(&out, 64 * sizeof(float));
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);

    size_t offset = 1;
    IS(cudaBindTexture(&offset, line, memory, 4 * sizeof(float)), cudaSuccess);
    IS(offset, 0);
    by_index<<<1, 6>>>(out);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(out[0], 0);
    IS(out[4], 9);
    IS(out[5], 0);
    // Up to the end of the allocation.
    IS(cudaBindTexture(nullptr, line, memory + 1), cudaSuccess);
    by_index<<<1, 25>>>(out);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(out[23], 23 * 23);
    IS(out[24], 0);
    IS(cudaGetTextureAlignmentOffset(&offset, line), cudaSuccess);
    IS(cudaUnbindTexture(line), cudaSuccess);
    IS(cudaGetTextureAlignmentOffset(&offset, line), cudaErrorInvalidTextureBinding);
    IS(cudaBindTexture(nullptr, line, host), cudaErrorInvalidValue);

    // Rows, filtered.
    plane.filterMode = cudaFilterModeLinear;
    IS(cudaBindTexture2D(&offset, plane, memory, 4, 2, 4 * sizeof(float)), cudaSuccess);
    at<<<1, 9>>>(out);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(out[0], 16);
    IS(out[1], 16);
    IS(out[2], (16 + 25) / 2.0);
    IS(out[8], 49);

    unsigned char bytes[2][4] = {{0, 51, 102, 255}, {255, 0, 0, 0}};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    IS(cudaMallocArray(&array, &format, 2, 1), cudaSuccess);
    IS(cudaMemcpyToArray(array, 0, 0, bytes, sizeof bytes, cudaMemcpyHostToDevice), cudaSuccess);
    IS(cudaBindTextureToArray(pixels, array), cudaSuccess);
    IS(cudaBindTextureToArray(plane, array, format), cudaErrorInvalidFilterSetting);
    float4 *found = (float4 *)out;
    colours<<<1, 2>>>(found);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(found[0].y == 0.2f && found[0].w == 1 && found[1].x == 1, 1);

    IS(cudaBindTexture(nullptr, fours, memory, cudaCreateChannelDesc<int4>(), 2 * sizeof(int4)), cudaSuccess);
    whole<<<1, 3>>>((int4 *)out);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(out[7], 49);
    IS(((int4 *)out)[2].x, 0);

    cudaChannelFormatDesc single = cudaCreateChannelDesc<float>();
    cudaArray_t stack;
    IS(cudaMalloc3DArray(&stack, &single, make_cudaExtent(4, 2, 3), cudaArrayLayered), cudaSuccess);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 4 * sizeof(float), 4, 2);
    copy.dstArray = stack;
    copy.extent = make_cudaExtent(4, 2, 3);
    copy.kind = cudaMemcpyHostToDevice;
    IS(cudaMemcpy3D(&copy), cudaSuccess);
    IS(cudaBindTextureToArray(layers, stack, single), cudaSuccess);
    deep<<<1, 4>>>(out);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 4; i++)
        IS(out[i], host[i < 3 ? i : 2][1][0]);
    const textureReference *reference = nullptr;
    IS(cudaGetTextureReference(&reference, &layers), cudaSuccess);
    IS(reference == &layers, 1);
    IS(cudaGetTextureReference(&reference, host), cudaErrorInvalidTexture);
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
