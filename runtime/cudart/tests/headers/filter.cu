// Filtered textures, textures and surfaces of three dimensions, of layers and of cubes, against a computation on the host.
//
// The host finds the element of each index by the definition of the address mode; weights are fractions of 256.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static int faults = 0;

#define IS(call, expected) \
    do { \
        double is = (double)(call), should_be = (double)(expected); \
        if (is != should_be) { \
            std::printf("line %d: %s is %g, expected %g\n", __LINE__, #call, is, should_be); \
            faults++; \
        } \
    } while (0)

static void near(const char *what, int index, double is, double expected)
{
    if (std::fabs(is - expected) > 1e-5 * (1 + std::fabs(expected)) || std::isnan(is) != std::isnan(expected)) {
        std::printf("%s, point %d: %.9g, expected %.9g\n", what, index, is, expected);
        faults++;
    }
}

enum Shape { LINE, PLANE, SPACE, LINES, PLANES, CUBE, CUBES };

struct Point {
    float x, y, z;
    int layer;
};

__global__ void fetch(cudaTextureObject_t texture, Shape shape, const Point *points, int count, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const Point p = points[i];
    switch (shape) {
    case LINE: out[i] = tex1D<float>(texture, p.x); break;
    case PLANE: out[i] = tex2D<float>(texture, p.x, p.y); break;
    case SPACE: out[i] = tex3D<float>(texture, p.x, p.y, p.z); break;
    case LINES: out[i] = tex1DLayered<float>(texture, p.x, p.layer); break;
    case PLANES: out[i] = tex2DLayered<float>(texture, p.x, p.y, p.layer); break;
    case CUBE: out[i] = texCubemap<float>(texture, p.x, p.y, p.z); break;
    case CUBES: out[i] = texCubemapLayered<float>(texture, p.x, p.y, p.z, p.layer); break;
    }
}

// A texture of the host.
struct Texture {
    int counts[3];
    cudaTextureAddressMode mode;
    bool normalized, linear;
    const float *data;

    // The element of an index along an axis; -1: none.
    int place(int axis, double index) const
    {
        const int n = counts[axis];
        if (normalized && mode == cudaAddressModeWrap)
            return (int)(index - n * std::floor(index / n));
        if (normalized && mode == cudaAddressModeMirror) {
            const int within = (int)(index - 2 * n * std::floor(index / (2 * n)));
            return within < n ? within : 2 * n - 1 - within;
        }
        if (mode == cudaAddressModeBorder && (index < 0 || index >= n))
            return -1;
        return index < 0 ? 0 : index >= n ? n - 1 : (int)index;
    }

    // A mirrored border between two elements belongs to the other one.
    bool is_border(int axes, const float *coordinates) const
    {
        bool found = false;
        for (int axis = 0; axis < axes; axis++)
            found |= std::floor(coordinates[axis] * counts[axis]) == coordinates[axis] * counts[axis];
        return found && normalized && !linear && mode == cudaAddressModeMirror;
    }

    double at(int axes, const float *coordinates, int layer) const
    {
        double sum = 0;
        for (int corner = 0; corner < 1 << axes; corner++) {
            double weight = 1;
            int places[3] = {0, 0, layer};
            bool is_there = true;
            for (int axis = 0; axis < axes; axis++) {
                double at = normalized ? (double)coordinates[axis] * counts[axis] : coordinates[axis];
                if (std::isnan(at))
                    at = linear ? 0.5 : 0;
                const int high = corner >> axis & 1;
                double first = std::floor(at);
                if (linear) {
                    first = std::floor(at - 0.5);
                    // Infinity has no fraction.
                    const double part = std::isinf(at) ? 0 : std::nearbyint((at - 0.5 - first) * 256) / 256;
                    weight *= high ? part : 1 - part;
                } else if (high) {
                    weight = 0;
                }
                places[axis] = place(axis, first + high);
                is_there &= places[axis] >= 0;
            }
            if (weight != 0 && is_there)
                sum += weight * data[((size_t)places[2] * counts[1] + places[1]) * counts[0] + places[0]];
        }
        return sum;
    }
};

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
    bool normalized, cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description;
    std::memset(&description, 0, sizeof description);
    description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = mode;
    description.filterMode = filter;
    description.readMode = read;
    description.normalizedCoords = normalized;
    cudaTextureObject_t texture = 0;
    IS(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
    return texture;
}

// An array with its contents.
static cudaArray_t array_of(const float *data, int width, int height, int depth, unsigned int flags)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    IS(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags), cudaSuccess);
    cudaMemcpy3DParms copy;
    std::memset(&copy, 0, sizeof copy);
    const int rows = height ? height : 1, slices = depth ? depth : 1;
    copy.srcPtr = make_cudaPitchedPtr((void *)data, width * sizeof(float), width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    IS(cudaMemcpy3D(&copy), cudaSuccess);
    return array;
}

static std::vector<float> fetched(cudaTextureObject_t texture, Shape shape, const std::vector<Point> &points)
{
    const int count = (int)points.size();
    Point *there;
    float *out;
    cudaMalloc(&there, count * sizeof(Point));
    cudaMalloc(&out, count * sizeof(float));
    cudaMemcpy(there, points.data(), count * sizeof(Point), cudaMemcpyHostToDevice);
    fetch<<<(count + 63) / 64, 64>>>(texture, shape, there, count, out);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<float> found(count);
    cudaMemcpy(found.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(there);
    cudaFree(out);
    return found;
}

// Every address mode, filter and kind of coordinates.
static void shapes()
{
    constexpr int W = 5, H = 4, D = 6;
    float data[D][H][W];
    for (int i = 0; i < W * H * D; i++)
        (&data[0][0][0])[i] = (float)((i * 37) % 101) - 40;
    struct {
        const char *name;
        Shape shape;
        int axes, height, depth;
        unsigned int flags;
    } cases[] = {
        {"1D", LINE, 1, 0, 0, 0},
        {"2D", PLANE, 2, H, 0, 0},
        {"3D", SPACE, 3, H, D, 0},
        {"1D, layers", LINES, 1, 0, D, cudaArrayLayered},
        {"2D, layers", PLANES, 2, H, D, cudaArrayLayered},
    };
    for (auto &one : cases) {
        cudaArray_t array = array_of(&data[0][0][0], W, one.height, one.depth, one.flags);
        for (int variant = 0; variant < 16; variant++) {
            const bool normalized = variant & 1, linear = variant & 2;
            const cudaTextureAddressMode mode = (cudaTextureAddressMode)(variant >> 2);
            std::vector<Point> points;
            // Steps of half an element and of 1/64, from before the first element to behind the last one.
            for (int i = -12; i < 40; i++) {
                const float x = i / (normalized ? 16.0f : 2.0f), y = (i * 5 % 29) / (normalized ? 64.0f : 4.0f);
                points.push_back({x, y, (i * 3 % 17) / (normalized ? 16.0f : 2.0f), i / 4});
                points.push_back({x + 1 / 64.0f, -y, y, 2});
            }
            if (!normalized || mode == cudaAddressModeClamp) {
                points.push_back({INFINITY, 1, 1, 0});
                points.push_back({-INFINITY, 1, 1, 0});
                points.push_back({3e9f, 1, 1, 0x7fffffff});
                points.push_back({-3e9f, 1, 1, -1});
            }
            points.push_back({NAN, 1, NAN, 0});
            cudaTextureObject_t texture =
                texture_of(array, mode, linear ? cudaFilterModeLinear : cudaFilterModePoint, normalized);
            std::vector<float> found = fetched(texture, one.shape, points);
            Texture host{{W, one.height ? one.height : 1, one.depth ? one.depth : 1}, mode, normalized, linear,
                &data[0][0][0]};
            for (size_t i = 0; i < points.size(); i++) {
                const Point &p = points[i];
                const float coordinates[3] = {p.x, p.y, p.z};
                const unsigned int layer = (unsigned int)p.layer;
                const int slice = one.flags ? (layer < D ? (int)layer : D - 1) : 0;
                char name[64];
                std::snprintf(name, sizeof name, "%s, mode %d, normalized %d, linear %d", one.name, mode, normalized, linear);
                if (!host.is_border(one.axes, coordinates))
                    near(name, (int)i, found[i], host.at(one.axes, coordinates, slice));
            }
            IS(cudaDestroyTextureObject(texture), cudaSuccess);
        }
        IS(cudaFreeArray(array), cudaSuccess);
    }
}

// Weights are rounded to a fraction of 256; elements without weight do not count.
static void weights()
{
    const float data[4] = {0, 256, INFINITY, 512};
    cudaArray_t array = array_of(data, 4, 0, 0, 0);
    cudaTextureObject_t texture = texture_of(array, cudaAddressModeClamp, cudaFilterModeLinear, false);
    std::vector<Point> points = {{0.5f}, {0.5f + 1 / 1024.0f}, {0.5f + 3 / 1024.0f}, {0.5f + 1 / 512.0f}, {0.5f + 3 / 512.0f},
        {1.5f}, {1.5f + 1 / 1024.0f}, {1.75f}, {2.5f}, {3.5f}};
    const float expected[] = {0, 0, 1, 0, 2, 256, 256, INFINITY, INFINITY, 512};
    std::vector<float> found = fetched(texture, LINE, points);
    for (size_t i = 0; i < points.size(); i++)
        IS(found[i], expected[i]);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

// The faces of cubes: vectors to the middles of elements, and between them.
static void cubes()
{
    constexpr int N = 4, CUBES_ = 2;
    float data[6 * CUBES_][N][N];
    for (int i = 0; i < 6 * CUBES_ * N * N; i++)
        (&data[0][0][0])[i] = (float)(i * 7 % 113);
    // By face: the vector of coordinates s and t from -1 to 1.
    auto vector = [](int face, float s, float t) -> Point {
        switch (face) {
        case 0: return {1, -t, -s};
        case 1: return {-1, -t, s};
        case 2: return {s, 1, t};
        case 3: return {s, -1, -t};
        case 4: return {s, -t, 1};
        default: return {-s, -t, -1};
        }
    };
    for (int several = 0; several < 2; several++) {
        const int faces = several ? 6 * CUBES_ : 6;
        cudaArray_t array = array_of(&data[0][0][0], N, N, faces, cudaArrayCubemap | (several ? cudaArrayLayered : 0));
        for (int linear = 0; linear < 2; linear++) {
            cudaTextureObject_t texture = texture_of(
                array, cudaAddressModeWrap, linear ? cudaFilterModeLinear : cudaFilterModePoint, true);
            Texture host{{N, N, faces}, cudaAddressModeClamp, true, linear != 0, &data[0][0][0]};
            std::vector<Point> points;
            std::vector<double> expected;
            for (int face = 0; face < faces; face++)
                for (int i = 0; i < 81; i++) {
                    const float s = (i % 9 - 4) / 4.0f * 0.9375f, t = (i / 9 - 4) / 4.0f * 0.9375f;
                    Point point = vector(face % 6, s, t);
                    point.x *= 2, point.y *= 2, point.z *= 2;
                    point.layer = face / 6;
                    points.push_back(point);
                    const float coordinates[3] = {(s + 1) / 2, (t + 1) / 2, 0};
                    expected.push_back(host.at(2, coordinates, face));
                }
            std::vector<float> found = fetched(texture, several ? CUBES : CUBE, points);
            for (size_t i = 0; i < points.size(); i++)
                near(several ? "cubes" : "cube", (int)i, found[i], expected[i]);
            cudaDestroyTextureObject(texture);
        }
        cudaFreeArray(array);
    }
}

__global__ void channels(cudaTextureObject_t texture, float4 *out)
{
    const float x = threadIdx.x / 4.0f;
    out[threadIdx.x] = tex2D<float4>(texture, x, 0.5f);
}
__global__ void gather(cudaTextureObject_t texture, uchar4 *out)
{
    out[threadIdx.x] = tex2Dgather<uchar4>(texture, 1 + (float)threadIdx.x, 1, (int)threadIdx.x);
}
__global__ void halves(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1D<float>(texture, threadIdx.x * 0.5f + 0.5f);
}

// Bytes as fractions, the four elements of a filter, and elements of half precision.
static void formats()
{
    const unsigned char bytes[2][4][4] = {
        {{0, 51, 102, 255}, {255, 0, 0, 0}, {10, 20, 30, 40}, {50, 60, 70, 80}},
        {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}},
    };
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    IS(cudaMallocArray(&array, &format, 4, 2, cudaArrayTextureGather), cudaSuccess);
    IS(cudaMemcpy2DToArray(array, 0, 0, bytes, 16, 16, 2, cudaMemcpyHostToDevice), cudaSuccess);
    float4 *out;
    cudaMallocManaged(&out, 16 * sizeof *out);
    cudaTextureObject_t fractions =
        texture_of(array, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat);
    channels<<<1, 5>>>(fractions, out);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    near("fractions", 0, out[0].y, 0.2);
    near("fractions", 2, out[2].w, 1);
    near("fractions", 3, out[3].x, 0.25);
    near("fractions", 4, out[4].x, 0.5);
    // Whole numbers are not filtered.
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description;
    std::memset(&description, 0, sizeof description);
    description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t none = 0;
    IS(cudaCreateTextureObject(&none, &resource, &description, nullptr), cudaErrorInvalidFilterSetting);

    cudaTextureObject_t whole = texture_of(array, cudaAddressModeClamp, cudaFilterModePoint, false);
    uchar4 *four = (uchar4 *)out;
    gather<<<1, 4>>>(whole, four);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 4; i++) {
        const int right = i + 1 < 4 ? i + 1 : 3;
        IS(four[i].x, bytes[1][i][i]);
        IS(four[i].y, bytes[1][right][i]);
        IS(four[i].z, bytes[0][right][i]);
        IS(four[i].w, bytes[0][i][i]);
    }

    // 1, 1.5 and -2.
    const unsigned short numbers[3] = {0x3c00, 0x3e00, 0xc000};
    cudaChannelFormatDesc half = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t short_array;
    IS(cudaMallocArray(&short_array, &half, 3), cudaSuccess);
    IS(cudaMemcpyToArray(short_array, 0, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice), cudaSuccess);
    cudaTextureObject_t points = texture_of(short_array, cudaAddressModeClamp, cudaFilterModePoint, false);
    cudaTextureObject_t filtered = texture_of(short_array, cudaAddressModeClamp, cudaFilterModeLinear, false);
    float *values = (float *)out;
    halves<<<1, 5>>>(points, values);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(values[0], 1);
    IS(values[2], 1.5);
    IS(values[4], -2);
    halves<<<1, 5>>>(filtered, values);
    IS(cudaDeviceSynchronize(), cudaSuccess);
    IS(values[1], 1.25);
    IS(values[3], -0.25);
}

constexpr int W = 4, H = 3, D = 2;

__global__ void fill(cudaSurfaceObject_t surface, int layered)
{
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, bytes = (int)sizeof(int);
    const int value = 100 * z + 10 * y + x;
    if (layered)
        surf2DLayeredwrite(value, surface, x * bytes, y, z);
    else
        surf3Dwrite(value, surface, x * bytes, y, z);
    surf3Dwrite(-1, surface, x * bytes, y, D, cudaBoundaryModeZero);
}
// The instructions themselves, as nvcc writes them.
__global__ void instructions(cudaSurfaceObject_t surface, cudaTextureObject_t texture, int *out)
{
    int a, b;
    asm volatile("suld.b.3d.v2.b32.trap {%0, %1}, [%2, {%3, %4, %5, %5}];" : "=r"(a), "=r"(b) : "l"(surface), "r"(8), "r"(2), "r"(1));
    out[0] = a, out[1] = b;
    asm volatile("suld.b.3d.b32.clamp {%0}, [%1, {%2, %3, %4, %4}];" : "=r"(a) : "l"(surface), "r"(1000), "r"(-5), "r"(1));
    out[2] = a;
    asm volatile("suld.b.a2d.v2.b32.zero {%0, %1}, [%2, {%3, %4, %5, %5}];" : "=r"(a), "=r"(b) : "l"(surface), "r"(0), "r"(12), "r"(0));
    out[3] = a, out[4] = b;
    short c;
    asm volatile("suld.b.2d.b16.zero {%0}, [%1, {%2, %3}];" : "=h"(c) : "l"(surface), "r"(4), "r"(1));
    out[5] = c;
    asm volatile("suld.b.1d.b8.clamp {%0}, [%1, {%2}];" : "=h"(c) : "l"(surface), "r"(-1));
    out[6] = c;
    asm volatile("sust.b.3d.b32.clamp [%0, {%1, %2, %3, %3}], {%4};" :: "l"(surface), "r"(99), "r"(99), "r"(99), "r"(777));
    asm volatile("sust.b.a1d.b32.zero [%0, {%1, %2}], {%3};" :: "l"(surface), "r"(2), "r"(0), "r"(888));
    asm volatile("sust.b.3d.v2.b32.trap [%0, {%1, %2, %3, %3}], {%4, %5};" :: "l"(surface), "r"(0), "r"(1), "r"(1), "r"(5), "r"(6));
    asm volatile("suq.width.b32 %0, [%1];" : "=r"(out[7]) : "l"(surface));
    asm volatile("suq.height.b32 %0, [%1];" : "=r"(out[8]) : "l"(surface));
    asm volatile("suq.depth.b32 %0, [%1];" : "=r"(out[9]) : "l"(surface));
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(out[10]) : "l"(texture));
}
__global__ void outside(cudaSurfaceObject_t surface, int *out)
{
    int a;
    asm volatile("suld.b.3d.b32.trap {%0}, [%1, {%2, %3, %4, %4}];" : "=r"(a) : "l"(surface), "r"(0), "r"(0), "r"(D));
    *out = a;
}

static void surfaces()
{
    int *out, back[D][H][W];
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    for (int layered = 0; layered < 2; layered++) {
        cudaArray_t array;
        unsigned int flags = cudaArraySurfaceLoadStore | (layered ? cudaArrayLayered : 0), found = 0;
        cudaExtent extent;
        IS(cudaMalloc3DArray(&array, &format, make_cudaExtent(W, H, D), flags), cudaSuccess);
        IS(cudaArrayGetInfo(&format, &extent, &found, array), cudaSuccess);
        IS(extent.width == W && extent.height == H && extent.depth == D && found == flags, 1);
        cudaResourceDesc resource;
        std::memset(&resource, 0, sizeof resource);
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaSurfaceObject_t surface;
        IS(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
        fill<<<1, dim3(W, H, D)>>>(surface, layered);
        IS(cudaDeviceSynchronize(), cudaSuccess);
        cudaTextureObject_t texture = texture_of(array, cudaAddressModeClamp, cudaFilterModePoint, false);
        instructions<<<1, 1>>>(surface, texture, out);
        IS(cudaDeviceSynchronize(), cudaSuccess);
        const int expected[] = {122, 123, 103, 0, 0, 11, 0, W, H, D, W};
        for (int i = 0; i < 11; i++)
            IS(out[i], expected[i]);
        cudaMemcpy3DParms copy;
        std::memset(&copy, 0, sizeof copy);
        copy.srcArray = array;
        copy.srcPos.z = 1;
        copy.dstPtr = make_cudaPitchedPtr(back[1], W * sizeof(int), W, H);
        copy.extent = make_cudaExtent(W, H, 1);
        copy.kind = cudaMemcpyDeviceToHost;
        IS(cudaMemcpy3D(&copy), cudaSuccess);
        IS(back[1][0][3], 103);
        IS(back[1][1][0], 5);
        IS(back[1][1][1], 6);
        IS(back[1][2][3], 777);
        copy.srcPos.z = 2;
        IS(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
        if (layered) {
            outside<<<1, 1>>>(surface, out);
            IS(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
        }
    }
}

int main()
{
    shapes();
    weights();
    cubes();
    formats();
    surfaces();
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
