// Texture objects of every kind of element, mode and memory; textures.ptx has the kernels as nvcc compiles them.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

__global__ void indices(cudaTextureObject_t words, cudaTextureObject_t colours, cudaTextureObject_t steps, int n, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 colour = tex1Dfetch<uchar4>(colours, i - 3);
    out[4 * i] = tex1Dfetch<int>(words, i);
    out[4 * i + 1] = colour.x + 10 * colour.y + 100 * colour.z + 1000 * colour.w;
    out[4 * i + 2] = tex1Dfetch<float>(steps, 2 * i);
    out[4 * i + 3] = tex1D<uchar4>(colours, i * 0.75f - 2.0f).y;
}

__global__ void rows(cudaTextureObject_t pairs, cudaTextureObject_t clamped, int n, float *out)
{
    int i = threadIdx.x, j = blockIdx.x;
    float2 pair = tex2D<float2>(pairs, i - 2.5f, j - 1.25f);
    float *to = out + 4 * (j * n + i);
    to[0] = pair.x;
    to[1] = pair.y;
    to[2] = tex2D<short>(clamped, i - 3, j + 0.5f);
    if (i & 1)
        to[3] = tex2D<short>(clamped, 0.5f * j, i);
}

__global__ void fractions(cudaTextureObject_t wrapped, cudaTextureObject_t mirrored, cudaTextureObject_t colours, int n, float *out)
{
    int i = threadIdx.x, j = blockIdx.x;
    float x = (i - 4.3f) / 5, y = (j - 1.6f) / 2;
    float4 colour = tex2D<float4>(colours, x, y);
    float *to = out + 4 * (j * n + i);
    to[0] = tex2D<float>(wrapped, x, y);
    to[1] = tex2D<float>(mirrored, x, y);
    to[2] = colour.x - colour.w;
    to[3] = colour.y + colour.z;
}

static cudaTextureObject_t object(cudaResourceDesc &resource, int mode, int fractions, int normalized)
{
    cudaTextureDesc description;
    memset(&description, 0, sizeof description);
    description.addressMode[0] = description.addressMode[1] = (cudaTextureAddressMode)mode;
    description.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    description.normalizedCoords = normalized;
    cudaTextureObject_t made = 0;
    cudaError_t error = cudaCreateTextureObject(&made, &resource, &description, NULL);
    if (error != cudaSuccess)
        printf("error %d\n", error);
    return made;
}

template <typename T> static cudaResourceDesc linear(const T *values, int count)
{
    void *copy;
    cudaMalloc(&copy, count * sizeof(T));
    cudaMemcpy(copy, values, count * sizeof(T), cudaMemcpyHostToDevice);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = copy;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = count * sizeof(T);
    return resource;
}

template <typename T> static cudaResourceDesc array(const T *values, int width, int height)
{
    cudaArray_t made;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaMallocArray(&made, &format, width, height);
    cudaMemcpy2DToArray(made, 0, 0, values, width * sizeof(T), width * sizeof(T), height, cudaMemcpyHostToDevice);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = made;
    return resource;
}

static void show(const char *name, const float *device, int count)
{
    static float values[1024];
    cudaMemcpy(values, device, count * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s", name);
    for (int i = 0; i < count; i++)
        printf(" %g", values[i]);
    printf("\n");
}

int main()
{
    int words[40];
    uchar4 colours[12];
    unsigned short steps[20];
    short heights[15];
    float2 pairs[3][4];
    for (int i = 0; i < 40; i++)
        words[i] = 7 * i - 100;
    for (int i = 0; i < 12; i++)
        colours[i] = make_uchar4(i, 255 - i, 20 * i, 128 + i);
    for (int i = 0; i < 20; i++)
        steps[i] = 3277 * i;
    for (int i = 0; i < 15; i++)
        heights[i] = i % 2 ? -1000 * i : 2000 * i;
    for (int i = 0; i < 12; i++)
        pairs[i / 4][i % 4] = make_float2(i + 0.5f, -i);
    void *pitched;
    size_t pitch;
    cudaMallocPitch(&pitched, &pitch, sizeof pairs[0], 3);
    cudaMemcpy2D(pitched, pitch, pairs, sizeof pairs[0], sizeof pairs[0], 3, cudaMemcpyHostToDevice);
    cudaResourceDesc of_pairs;
    memset(&of_pairs, 0, sizeof of_pairs);
    of_pairs.resType = cudaResourceTypePitch2D;
    of_pairs.res.pitch2D.devPtr = pitched;
    of_pairs.res.pitch2D.desc = cudaCreateChannelDesc<float2>();
    of_pairs.res.pitch2D.width = 4;
    of_pairs.res.pitch2D.height = 3;
    of_pairs.res.pitch2D.pitchInBytes = pitch;
    cudaResourceDesc of_words = linear(words, 40), of_colours = linear(colours, 12), of_steps = linear(steps, 20);
    cudaResourceDesc of_heights = array(heights, 5, 3), of_tints = array(colours, 4, 3), of_levels = array(steps, 5, 4);
    float *out;
    cudaMalloc(&out, 1024 * sizeof(float));
    cudaMemset(out, 0, 1024 * sizeof(float));
    indices<<<2, 32>>>(object(of_words, 1, 0, 0), object(of_colours, 1, 0, 0), object(of_steps, 1, 1, 0), 45, out);
    show("indices", out, 180);
    cudaMemset(out, 0, 1024 * sizeof(float));
    rows<<<6, 10>>>(object(of_pairs, cudaAddressModeBorder, 0, 0), object(of_heights, cudaAddressModeClamp, 0, 0), 10, out);
    show("rows", out, 240);
    fractions<<<6, 10>>>(
        object(of_levels, cudaAddressModeWrap, 1, 1), object(of_heights, cudaAddressModeMirror, 1, 1),
        object(of_tints, cudaAddressModeBorder, 1, 1), 10, out
    );
    show("fractions", out, 240);
}
