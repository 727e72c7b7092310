// monte_carlo: prices of European call options by Monte Carlo simulation, as the CUDA SDK's MonteCarlo with a block for
// each option: the threads walk through one and the same list of normal random numbers, compute what the option is
// worth at its end, and add up values and squares; a tree in shared memory adds up the threads' sums.
//
// Measured by: dissertation chapter 5 (Table 5.4, MCARLO: 1 G instructions, 3.99 sectors of a line used).
// Characteristic: all blocks read the same list of random numbers (1 MB at the sample's size, more than the L2),
// coalesced and at about the same time; an exponential each; no divergence but the option's end value. Blocks of 256.
//
// usage: monte_carlo [options [paths]]

#include "workload.h"

const int BLOCK = 256, MOST_OPTIONS = 2048;

struct option_data {
    float price, strike, drift, spread;
};

struct option_value {
    float expected, confidence;
};

__constant__ option_data options[MOST_OPTIONS];

__device__ float end_value(float price, float strike, float r, float drift, float spread)
{
    float value = price * __expf(drift + spread * r) - strike;
    return value > 0 ? value : 0;
}

__global__ void one_block_per_option(const float *random, int paths, option_value *out)
{
    __shared__ float sums[BLOCK], squares[BLOCK];
    int option = blockIdx.x;
    float price = options[option].price, strike = options[option].strike;
    float drift = options[option].drift, spread = options[option].spread;
    for (int slot = threadIdx.x; slot < BLOCK; slot += blockDim.x) {
        float sum = 0, square = 0;
        for (int path = slot; path < paths; path += BLOCK) {
            float value = end_value(price, strike, random[path], drift, spread);
            sum += value;
            square += value * value;
        }
        sums[slot] = sum;
        squares[slot] = square;
    }
    for (int stride = BLOCK / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        for (int i = threadIdx.x; i < stride; i += blockDim.x) {
            sums[i] += sums[i + stride];
            squares[i] += squares[i + stride];
        }
    }
    if (threadIdx.x == 0) {
        option_value value = {sums[0], squares[0]};
        out[option] = value;
    }
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 32), paths = argument(argc, argv, 2, 4096);
    if (count > MOST_OPTIONS) {
        printf("monte_carlo: at most %d options\n", MOST_OPTIONS);
        return 2;
    }
    const float RATE = 0.06f, VOLATILITY = 0.10f;
    option_data data[MOST_OPTIONS];
    for (int i = 0; i < count; i++) {
        float years = 1 + 4 * random_unit();
        data[i].price = 5 + 45 * random_unit();
        data[i].strike = 10 + 15 * random_unit();
        data[i].drift = (RATE - VOLATILITY * VOLATILITY / 2) * years;
        data[i].spread = VOLATILITY * sqrtf(years);
    }
    // Normal numbers, nearly: sums of four uniform ones with variance 1.
    float *random = (float *)malloc(paths * sizeof(float));
    for (int i = 0; i < paths; i++)
        random[i] = (random_unit() + random_unit() + random_unit() + random_unit() - 2) * 1.7320508f;

    float *d_random = to_device(random, paths);
    option_value *d_out = device_zeros<option_value>(count);
    CHECK(cudaMemcpyToSymbol(options, data, count * sizeof(option_data)));
    one_block_per_option<<<count, BLOCK>>>(d_random, paths, d_out);
    printf("monte_carlo: %d options, %d paths\n", count, paths);

    option_value *found = to_host(d_out, count);
    int step = count * (paths / 100) / 5000 + 1;
    for (int i = 0; i < count; i += step) {
        double sum = 0, square = 0;
        for (int path = 0; path < paths; path++) {
            double value = data[i].price * exp((double)data[i].drift + data[i].spread * random[path]) - data[i].strike;
            value = value > 0 ? value : 0;
            sum += value;
            square += value * value;
        }
        expect_float("value of option", i, sum / paths, found[i].expected / paths, 1e-4);
        expect_float("mean square of option", i, square / paths, found[i].confidence / paths, 1e-4);
    }
    return verdict("monte_carlo");
}
