// noise_generators: uniform and Gaussian noise added to a picture, by a shuffled linear congruential generator.
//
// Measured in BCC ("URNG" and "Gnoise" in Table 1, coherent kernels). Modelled on AMD's samples "URNG" and
// "GaussianNoise": a thread is a pixel (a pair of pixels for the Gaussian noise), seeded by its own pixel.
//
// Characteristic: a generator with a table of 16 numbers for each thread, in shared memory, filled in a loop and read
// at places that depend on data; the correction of a negative state is a branch on data with a short side; integer
// divisions.
//
// usage: noise_generators [width] [height]     (multiples of 16 and 8)

#include "workload.h"

#define BLOCK 8
#define TABLE 16
#define MULTIPLIER 16807
#define MODULUS 2147483647
#define QUOTIENT 127773
#define REMAINDER 2836
#define DIVISOR (1 + (MODULUS - 1) / TABLE)

// The generator of Park and Miller with the shuffle of Bays and Durham; a number from 0 to 1.
__device__ inline float shuffled(int state, int *table, int thread)
{
    int output = 0;
    for (int j = TABLE + 7; j >= 0; j--) {
        int k = state / QUOTIENT;
        state = MULTIPLIER * (state - k * QUOTIENT) - REMAINDER * k;
        if (state < 0)
            state += MODULUS;
        if (j < TABLE)
            table[j * BLOCK * BLOCK + thread] = state;
    }
    output = table[thread];
    int k = state / QUOTIENT;
    state = MULTIPLIER * (state - k * QUOTIENT) - REMAINDER * k;
    if (state < 0)
        state += MODULUS;
    output = table[output / DIVISOR * BLOCK * BLOCK + thread];
    return (float)output / MODULUS;
}

__device__ inline unsigned char limited(float value)
{
    return value < 0 ? 0 : value > 255 ? 255 : (unsigned char)value;
}

__global__ void uniform_noise(const uchar4 *input, uchar4 *output, int width, int factor)
{
    __shared__ int table[TABLE * BLOCK * BLOCK];
    int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y, at = y * width + x;
    uchar4 pixel = input[at];
    int mean = (pixel.x + pixel.y + pixel.z + pixel.w) / 4;
    float noise = (shuffled(1 + mean * 65536 + at, table, threadIdx.y * BLOCK + threadIdx.x) - 0.55f) * factor;
    output[at] = make_uchar4(limited(pixel.x + noise), limited(pixel.y + noise), limited(pixel.z + noise),
                             limited(pixel.w + noise));
}

// A pixel of the upper half and the one below it in the lower half.
__global__ void gaussian_noise(const uchar4 *input, uchar4 *output, int width, int pairs, float factor)
{
    __shared__ int table[TABLE * BLOCK * BLOCK];
    int thread = threadIdx.y * BLOCK + threadIdx.x;
    int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y, at = y * width + x;
    uchar4 first = input[at], second = input[at + pairs];
    int mean = (first.x + first.y + first.z + first.w) / 4, other = (second.x + second.y + second.z + second.w) / 4;
    float u = shuffled(1 + mean * 65536 + at, table, thread), v = shuffled(1 + other * 65536 + at, table, thread);
    float radius = sqrtf(-2.0f * logf(u)) * factor, angle = 2 * 3.14159265f * v;
    float a = radius * cosf(angle), b = radius * sinf(angle);
    output[at] = make_uchar4(limited(first.x + a), limited(first.y + a), limited(first.z + a), limited(first.w + a));
    output[at + pairs] =
        make_uchar4(limited(second.x + b), limited(second.y + b), limited(second.z + b), limited(second.w + b));
}

// The host's generator, by the remainder itself in wide integers.
static double host_shuffled(long long state)
{
    int table[TABLE];
    for (int j = TABLE + 7; j >= 0; j--) {
        state = state * MULTIPLIER % MODULUS;
        if (j < TABLE)
            table[j] = state;
    }
    return table[table[0] / DIVISOR] / (double)MODULUS;
}

static int mean_of(uchar4 pixel)
{
    return (pixel.x + pixel.y + pixel.z + pixel.w) / 4;
}

// The found value is the sum with the noise, limited, to one unit.
static void expect_pixel(const char *what, int at, double value, int found)
{
    value = value < 0 ? 0 : value > 255 ? 255 : value;
    expect_int(what, at, 1, fabs(floor(value) - found) <= 1);
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 16), height = argument(argc, argv, 2, 16), count = width * height;
    if (width % BLOCK || height % (2 * BLOCK)) {
        printf("width: a multiple of %d; height: of %d\n", BLOCK, 2 * BLOCK);
        return 2;
    }
    uchar4 *picture = (uchar4 *)malloc(count * sizeof(uchar4));
    for (int i = 0; i < count; i++) {
        unsigned int bits = random_bits();
        picture[i] = make_uchar4(bits, bits >> 8, bits >> 16, bits >> 24);
    }
    const int factor = 60, pairs = count / 2;
    uchar4 *input = to_device(picture, count), *output = device_zeros<uchar4>(count);
    uniform_noise<<<dim3(width / BLOCK, height / BLOCK), dim3(BLOCK, BLOCK)>>>(input, output, width, factor);
    CHECK(cudaDeviceSynchronize());
    uchar4 *uniform = to_host(output, count);
    gaussian_noise<<<dim3(width / BLOCK, height / BLOCK / 2), dim3(BLOCK, BLOCK)>>>(input, output, width, pairs,
                                                                                    factor);
    CHECK(cudaDeviceSynchronize());
    uchar4 *normal = to_host(output, count);
    int step = 1 + count / 2048;
    for (int i = 0; i < count; i += step) {
        double noise = (host_shuffled(1 + mean_of(picture[i]) * 65536 + i) - 0.55) * factor;
        expect_pixel("red with uniform noise", i, picture[i].x + noise, uniform[i].x);
        expect_pixel("alpha with uniform noise", i, picture[i].w + noise, uniform[i].w);
        if (i >= pairs)
            continue;
        double u = host_shuffled(1 + mean_of(picture[i]) * 65536 + i);
        double v = host_shuffled(1 + mean_of(picture[i + pairs]) * 65536 + i);
        double radius = sqrt(-2 * log(u)) * factor, angle = 2 * 3.14159265 * v;
        expect_pixel("red with Gaussian noise", i, picture[i].x + radius * cos(angle), normal[i].x);
        expect_pixel("red with Gaussian noise", i + pairs, picture[i + pairs].x + radius * sin(angle),
                     normal[i + pairs].x);
    }
    return verdict("noise_generators");
}
