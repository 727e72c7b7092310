// dxt_compression: compresses an image to DXT1, 4 by 4 pixels at a time to two colours and sixteen choices among four.
// Measured in chapters 3 and 4 of the dissertation (Tables 3.2 and 4.2, "DXTC") and in the paper on intra-warp
// compaction. Modelled on the CUDA SDK's dxtc.
//
// A block of 64 threads has one tile of 16 pixels. 16 threads load it, find the line through its colours that fits best
// (branches on the thread's number, within barriers of the warp), and sort the pixels along it. Then all 64 threads try
// the 969 ways to divide sixteen ordered pixels among four colours and the 153 to divide them among three: long loops
// without divergence, with a few branches on what is best so far. The least error is found by a tree.
//
// usage: dxt_compression [pixels along an edge, a multiple of 4]

#include "workload.h"

#define THREADS 64
#define PIXELS 16
// Ways to divide 16 pixels in their order among 4 colours, and among 3.
#define FOURS 969
#define THREES 153

__device__ __forceinline__ float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ __forceinline__ float3 operator-(float3 a, float3 b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ __forceinline__ float3 operator*(float s, float3 a)
{
    return make_float3(s * a.x, s * a.y, s * a.z);
}

__device__ __forceinline__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// The pixels' sum in each of the first 16 elements.
__device__ void sum_colors(const float3 *colors, float3 *sums)
{
    int lane = threadIdx.x;
    sums[lane] = colors[lane];
    __syncwarp(0xffff);
    for (int step = 8; step > 0; step /= 2) {
        float3 other = sums[lane ^ step];
        __syncwarp(0xffff);
        sums[lane] = sums[lane] + other;
        __syncwarp(0xffff);
    }
}

// The direction in which colours differ most, by repeated multiplication with their covariance.
__device__ float3 main_direction(const float3 *colors, float3 mean)
{
    __shared__ float covariance[PIXELS][6];
    int lane = threadIdx.x;
    float3 offset = colors[lane] - mean;
    covariance[lane][0] = offset.x * offset.x;
    covariance[lane][1] = offset.x * offset.y;
    covariance[lane][2] = offset.x * offset.z;
    covariance[lane][3] = offset.y * offset.y;
    covariance[lane][4] = offset.y * offset.z;
    covariance[lane][5] = offset.z * offset.z;
    __syncwarp(0xffff);
    for (int step = 8; step > 0; step /= 2) {
        if (lane < step)
            for (int i = 0; i < 6; i++)
                covariance[lane][i] += covariance[lane + step][i];
        __syncwarp(0xffff);
    }
    const float *matrix = covariance[0];
    float3 direction = make_float3(1, 1, 1);
    for (int i = 0; i < 8; i++) {
        float x = direction.x * matrix[0] + direction.y * matrix[1] + direction.z * matrix[2];
        float y = direction.x * matrix[1] + direction.y * matrix[3] + direction.z * matrix[4];
        float z = direction.x * matrix[2] + direction.y * matrix[4] + direction.z * matrix[5];
        // A tile of one colour has no direction.
        float largest = fmaxf(fmaxf(fabsf(x), fabsf(y)), fabsf(z)), scale = largest > 0 ? 1.0f / largest : 0;
        direction = make_float3(x * scale, y * scale, z * scale);
    }
    return direction;
}

// Each pixel's place in their order along the line; equal ones by their numbers.
__device__ void sort_colors(const float *along, int *order)
{
    int lane = threadIdx.x, place = 0;
    for (int i = 0; i < PIXELS; i++)
        place += along[i] < along[lane];
    // What is equal and comes before.
    for (int i = 0; i < PIXELS - 1; i++)
        if (lane > i && along[lane] == along[i])
            place++;
    order[lane] = place;
}

__device__ void load_tile(const unsigned *image, int width, float3 *colors, float3 *sums, int *order)
{
    __shared__ float along[PIXELS];
    int lane = threadIdx.x;
    if (lane < PIXELS) {
        int tile_x = blockIdx.x % (width / 4), tile_y = blockIdx.x / (width / 4);
        unsigned pixel = image[(tile_y * 4 + lane / 4) * width + tile_x * 4 + lane % 4];
        colors[lane] = make_float3((pixel & 255) / 255.0f, (pixel >> 8 & 255) / 255.0f, (pixel >> 16 & 255) / 255.0f);
        __syncwarp(0xffff);
        sum_colors(colors, sums);
        float3 direction = main_direction(colors, (1.0f / PIXELS) * sums[lane]);
        along[lane] = dot(colors[lane], direction);
        __syncwarp(0xffff);
        sort_colors(along, order);
        // In order from now on.
        float3 own = colors[lane];
        __syncwarp(0xffff);
        colors[order[lane]] = own;
    }
}

__device__ __forceinline__ unsigned pack565(float3 color)
{
    unsigned red = (unsigned)(__saturatef(color.x) * 31 + 0.5f), green = (unsigned)(__saturatef(color.y) * 63 + 0.5f);
    return red << 11 | green << 5 | (unsigned)(__saturatef(color.z) * 31 + 0.5f);
}

__device__ __forceinline__ float3 unpack565(unsigned color)
{
    return make_float3((color >> 11 & 31) / 31.0f, (color >> 5 & 63) / 63.0f, (color & 31) / 31.0f);
}

// The two colours that fit a way to divide the pixels best (least squares), rounded, and the error that remains.
// `steps` is 3 for four colours, 2 for three; a pixel's two bits say which share of the first colour it has.
__device__ float error_of(const float3 *colors, float3 color_sum, float square_sum, unsigned way, int steps,
                          unsigned *start, unsigned *end)
{
    float aa = 0, bb = 0, ab = 0;
    float3 a_colors = make_float3(0, 0, 0);
    for (int i = 0; i < PIXELS; i++) {
        float a = (way >> 2 * i & 3) * (1.0f / steps), b = 1.0f - a;
        aa += a * a;
        bb += b * b;
        ab += a * b;
        a_colors = a_colors + a * colors[i];
    }
    float3 b_colors = color_sum - a_colors;
    float determinant = aa * bb - ab * ab;
    float3 first, second;
    if (fabsf(determinant) < 1e-6f) {
        // All pixels have the same share.
        first = (1.0f / PIXELS) * color_sum;
        second = first;
    } else {
        float inverse = 1.0f / determinant;
        first = inverse * (bb * a_colors - ab * b_colors);
        second = inverse * (aa * b_colors - ab * a_colors);
    }
    *start = pack565(first);
    *end = pack565(second);
    first = unpack565(*start);
    second = unpack565(*end);
    return aa * dot(first, first) + bb * dot(second, second) + square_sum +
           2.0f * (ab * dot(first, second) - dot(first, a_colors) - dot(second, b_colors));
}

// Tries the thread's share of the ways and keeps the best of them.
__device__ void try_ways(const float3 *colors, float3 color_sum, const unsigned *fours, const unsigned *threes,
                         float *least, unsigned *best_start, unsigned *best_end, unsigned *best_way)
{
    float square_sum = 0, best = 1e30f;
    for (int i = 0; i < PIXELS; i++)
        square_sum += dot(colors[i], colors[i]);
    for (int i = threadIdx.x; i < FOURS; i += THREADS) {
        unsigned start, end, way = fours[i];
        float error = error_of(colors, color_sum, square_sum, way, 3, &start, &end);
        if (error < best) {
            best = error;
            *best_way = way;
            *best_start = start;
            *best_end = end;
        }
    }
    // The order of the two colours says which kind it is; where it is the wrong one, shares are exchanged.
    if (*best_start < *best_end) {
        unsigned swap = *best_start;
        *best_start = *best_end;
        *best_end = swap;
        *best_way ^= 0xffffffffu;
    }
    for (int i = threadIdx.x; i < THREES; i += THREADS) {
        unsigned start, end, way = threes[i];
        float error = error_of(colors, color_sum, square_sum, way, 2, &start, &end);
        if (error < best) {
            best = error;
            *best_way = way;
            *best_start = start;
            *best_end = end;
            if (*best_start > *best_end) {
                unsigned swap = *best_start;
                *best_start = *best_end;
                *best_end = swap;
                // 0, 1, 2 become 2, 1, 0.
                *best_way = 0xaaaaaaaau - way;
            }
        }
    }
    *least = best;
}

// The thread with the least error, the first of them, in element 0.
__device__ int least_of(float *errors, int *indices)
{
    int lane = threadIdx.x;
    indices[lane] = lane;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (lane < step) {
            float other = errors[lane + step];
            if (other < errors[lane] || (other == errors[lane] && indices[lane + step] < indices[lane])) {
                errors[lane] = other;
                indices[lane] = indices[lane + step];
            }
        }
        __syncthreads();
    }
    return indices[0];
}

__global__ void compress(const unsigned *fours, const unsigned *threes, const unsigned *image, int width, uint2 *result)
{
    __shared__ float3 colors[PIXELS], sums[PIXELS];
    __shared__ int order[PIXELS], indices[THREADS];
    __shared__ float errors[THREADS];
    load_tile(image, width, colors, sums, order);
    __syncthreads();

    unsigned start = 0, end = 0, way = 0;
    float least;
    try_ways(colors, sums[0], fours, threes, &least, &start, &end, &way);
    errors[threadIdx.x] = least;
    __syncthreads();
    int winner = least_of(errors, indices);
    // The winner writes the colours and, for each pixel in its own place, the choice.
    if (threadIdx.x == winner) {
        unsigned choices = 0;
        bool four = start > end;
        for (int i = 0; i < PIXELS; i++) {
            unsigned share = way >> 2 * order[i] & 3;
            // The format's order: first colour, second colour, then those between.
            unsigned choice;
            if (four)
                choice = share == 3 ? 0 : share == 0 ? 1 : share == 2 ? 2 : 3;
            else
                choice = share == 2 ? 0 : share == 0 ? 1 : 2;
            choices |= choice << 2 * i;
        }
        result[blockIdx.x] = make_uint2(start | end << 16, choices);
    }
}

// All ways to divide sixteen pixels in order among `steps` + 1 colours: shares that never rise.
static int ways_of(int steps, unsigned *ways)
{
    int count = 0;
    for (int a = 0; a <= PIXELS; a++)
        for (int b = a; b <= PIXELS; b++)
            for (int c = b; c <= (steps == 3 ? PIXELS : b); c++) {
                unsigned way = 0;
                for (int i = 0; i < PIXELS; i++) {
                    unsigned share = steps == 3 ? (i >= a) + (i >= b) + (i >= c) : (i >= a) + (i >= b);
                    way |= share << 2 * i;
                }
                ways[count++] = way;
            }
    return count;
}

// The mean square of the differences between a tile and what a decoder makes of its code.
static double decoded_error(const unsigned *image, int width, int tile, uint2 code)
{
    double table[4][3], error = 0;
    unsigned first = code.x & 0xffff, second = code.x >> 16;
    for (int k = 0; k < 3; k++) {
        int shift = k == 0 ? 11 : k == 1 ? 5 : 0, mask = k == 1 ? 63 : 31;
        double a = table[0][k] = (double)(first >> shift & mask) / mask;
        double b = table[1][k] = (double)(second >> shift & mask) / mask;
        table[2][k] = first > second ? (2 * a + b) / 3 : (a + b) / 2;
        table[3][k] = first > second ? (a + 2 * b) / 3 : 0;
    }
    for (int i = 0; i < PIXELS; i++) {
        unsigned pixel = image[(tile / (width / 4) * 4 + i / 4) * width + tile % (width / 4) * 4 + i % 4];
        for (int k = 0; k < 3; k++) {
            double difference = (pixel >> 8 * k & 255) / 255.0 - table[code.y >> 2 * i & 3][k];
            error += difference * difference;
        }
    }
    return error / PIXELS;
}

// The same error for a simple coder: the two corners of the colours' box, and for each pixel what is nearest.
static double simple_error(const unsigned *image, int width, int tile)
{
    double low[3] = {1, 1, 1}, high[3] = {0, 0, 0}, pixel[PIXELS][3], error = 0;
    for (int i = 0; i < PIXELS; i++) {
        unsigned bits = image[(tile / (width / 4) * 4 + i / 4) * width + tile % (width / 4) * 4 + i % 4];
        for (int k = 0; k < 3; k++) {
            pixel[i][k] = (bits >> 8 * k & 255) / 255.0;
            low[k] = fmin(low[k], pixel[i][k]);
            high[k] = fmax(high[k], pixel[i][k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        int mask = k == 1 ? 63 : 31;
        low[k] = floor(low[k] * mask + 0.5) / mask;
        high[k] = floor(high[k] * mask + 0.5) / mask;
    }
    for (int i = 0; i < PIXELS; i++) {
        double least = 1e30;
        for (int share = 0; share < 4; share++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                double difference = pixel[i][k] - (low[k] * share + high[k] * (3 - share)) / 3;
                sum += difference * difference;
            }
            least = fmin(least, sum);
        }
        error += least;
    }
    return error / PIXELS;
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 32), height = width;
    if (width % 4) {
        printf("the edge must be a multiple of 4\n");
        return 2;
    }
    unsigned fours[FOURS], threes[THREES], *image = (unsigned *)malloc(width * height * sizeof(unsigned));
    if (ways_of(3, fours) != FOURS || ways_of(2, threes) != THREES) {
        printf("the ways were counted wrongly\n");
        return 2;
    }
    // Two smooth gradients, an edge and noise; of seven tiles one has a single colour and one has two.
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int kind = (x / 4 + y / 4 * 3) % 7, u = kind < 2 ? x / 4 * 4 : x, v = kind < 2 ? y / 4 * 4 : y;
            unsigned noise = kind == 0 ? 0 : kind == 1 ? (x & 1) * 0x7d28 : random_bits();
            int red = u * 200 / width + (noise & 31), green = v * 200 / height + (noise >> 5 & 31);
            int blue = ((u / 5 + v / 7) % 3) * 70 + (noise >> 10 & 31);
            image[y * width + x] = red | green << 8 | blue << 16;
        }
    int tiles = width / 4 * (height / 4);
    unsigned *fours_there = to_device(fours, FOURS), *threes_there = to_device(threes, THREES);
    unsigned *image_there = to_device(image, width * height);
    uint2 *codes_there = device_zeros<uint2>(tiles);
    compress<<<tiles, THREADS>>>(fours_there, threes_there, image_there, width, codes_there);
    CHECK(cudaDeviceSynchronize());
    uint2 *codes = to_host(codes_there, tiles);

    // Each tile that is compared must be at least about as good as a simple coder makes it, and all together better.
    int samples = tiles < 300 ? tiles : 300;
    double sum = 0, simple_sum = 0;
    for (int i = 0; i < samples; i++) {
        int tile = samples == tiles ? i : (int)(random_bits() % tiles);
        double error = decoded_error(image, width, tile, codes[tile]), simple = simple_error(image, width, tile);
        expect_int("worse than a simple coder, tile", tile, 0, error > simple * 1.02 + 1e-5);
        sum += error;
        simple_sum += simple;
    }
    printf("mean square error %.6f, of a simple coder %.6f\n", sum / samples, simple_sum / samples);
    expect_int("better than a simple coder", 0, 1, sum < simple_sum);
    CHECK(cudaFree(fours_there));
    CHECK(cudaFree(threes_there));
    CHECK(cudaFree(image_there));
    CHECK(cudaFree(codes_there));
    return verdict("dxt_compression");
}
