// quasirandom: points of a low-discrepancy sequence in three dimensions, and the inverse of the normal distribution.
//
// Measured in chapter 4 of the dissertation (QSRDM in Table 4.2) and in BCC ("QRndSq" in Table 1, a coherent kernel).
// Modelled on the CUDA SDK's sample "quasirandomGenerator": 1 048 576 points by 128 blocks of 128 x 3 threads, then by
// 128 blocks of 128. The SDK has Niederreiter's directions, this program Sobol's (computed here); the kernels are
// alike.
//
// Characteristic: a thread's number selects by its bits which of 31 directions are added: `if (data & 1)`, a branch of
// one short side that half of the lanes take, in lanes of period 2, 4, 8, ... for the low bits, the same in every warp,
// and uniform for the high ones; by thread numbers alone. The inverse distribution branches on the value, which changes
// from lane to lane.
//
// usage: quasirandom [points] [blocks]

#include "workload.h"

#define DIMENSIONS 3
#define BITS 31

__constant__ unsigned int table[DIMENSIONS][BITS];

__global__ void generate(float *output, unsigned int seed, unsigned int points)
{
    const unsigned int *directions = table[threadIdx.y];
    unsigned int thread = blockDim.x * blockIdx.x + threadIdx.x, threads = blockDim.x * gridDim.x;
    for (unsigned int at = thread; at < points; at += threads) {
        unsigned int result = 0, data = seed + at;
        for (int bit = 0; bit < BITS; bit++, data >>= 1)
            if (data & 1)
                result ^= directions[bit];
        output[threadIdx.y * points + at] = (float)(result + 1) * (1.0f / (float)0x80000001u);
    }
}

// Moro's approximation of the inverse of the cumulative normal distribution.
__device__ inline float inverse_normal(float p)
{
    const float a1 = 2.50662823884f, a2 = -18.61500062529f, a3 = 41.39119773534f, a4 = -25.44106049637f;
    const float b1 = -8.4735109309f, b2 = 23.08336743743f, b3 = -21.06224101826f, b4 = 3.13082909833f;
    const float c1 = 0.337475482272615f, c2 = 0.976169019091719f, c3 = 0.160797971491821f, c4 = 2.76438810333863e-2f,
                c5 = 3.8405729373609e-3f, c6 = 3.951896511919e-4f, c7 = 3.21767881768e-5f, c8 = 2.888167364e-7f,
                c9 = 3.960315187e-7f;
    float y = p - 0.5f, z;
    if (fabsf(y) < 0.42f) {
        z = y * y;
        z = y * (((a4 * z + a3) * z + a2) * z + a1) / ((((b4 * z + b3) * z + b2) * z + b1) * z + 1.0f);
    } else {
        if (y > 0)
            z = logf(-logf(1.0f - p));
        else
            z = logf(-logf(p));
        z = c1 + z * (c2 + z * (c3 + z * (c4 + z * (c5 + z * (c6 + z * (c7 + z * (c8 + z * c9)))))));
        if (y < 0)
            z = -z;
    }
    return z;
}

__global__ void invert(float *output, const float *input, unsigned int count)
{
    unsigned int thread = blockDim.x * blockIdx.x + threadIdx.x, threads = blockDim.x * gridDim.x;
    for (unsigned int at = thread; at < count; at += threads)
        output[at] = inverse_normal(input[at]);
}

int main(int argc, char **argv)
{
    int points = argument(argc, argv, 1, 1024), blocks = argument(argc, argv, 2, 128);
    // Sobol's directions: the number of bits 1 << 30 down, then by the polynomials x + 1 and x^2 + x + 1.
    unsigned int directions[DIMENSIONS][BITS];
    for (int bit = 0; bit < BITS; bit++) {
        directions[0][bit] = 1u << (30 - bit);
        if (bit == 0) {
            directions[1][0] = directions[2][0] = 1u << 30;
        } else {
            unsigned int before = directions[1][bit - 1];
            directions[1][bit] = before ^ (before >> 1);
            unsigned int last = directions[2][bit - 1], older = bit > 1 ? directions[2][bit - 2] : 0;
            directions[2][bit] = bit == 1 ? 3u << 29 : last ^ older ^ (older >> 2);
        }
    }
    CHECK(cudaMemcpyToSymbol(table, directions, sizeof(directions)));

    int count = points * DIMENSIONS;
    float *uniform = device_zeros<float>(count), *normal = device_zeros<float>(count);
    generate<<<blocks, dim3(128, DIMENSIONS)>>>(uniform, 0, points);
    invert<<<blocks, 128>>>(normal, uniform, count);
    CHECK(cudaDeviceSynchronize());
    float *sequence = to_host(uniform, count), *inverted = to_host(normal, count);

    // Gray-code order visits the same points, one direction a step: the host goes through them so. The
    // inverse is checked by the distribution itself.
    unsigned int value[DIMENSIONS] = {0, 0, 0};
    int sample = 1 + points / 8192;
    for (int step = 0; step < points; step++) {
        int code = step ^ (step >> 1);
        if (step > 0) {
            int bit = 0;
            while (!(step >> bit & 1))
                bit++;
            for (int d = 0; d < DIMENSIONS; d++)
                value[d] ^= directions[d][bit];
        }
        if (code >= points || step % sample != 0)
            continue;
        for (int d = 0; d < DIMENSIONS; d++) {
            float found = sequence[d * points + code];
            expect_float("coordinate of point", code, (value[d] + 1.0) / 2147483649.0, found, 1e-6);
            double probability = 0.5 * erfc(-inverted[d * points + code] / sqrt(2.0));
            expect_float("probability of point", code, found, probability, 1e-4);
        }
    }
    return verdict("quasirandom");
}
