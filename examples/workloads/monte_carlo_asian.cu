// monte_carlo_asian: Asian options (on the mean of a price on its way) by Monte Carlo simulation.
//
// Measured in BCC ("MCA" in Table 1, a coherent kernel). Modelled on AMD's sample "MonteCarloAsian": an option for each
// block, paths over its threads, a sum over the block.
//
// Characteristic: a long loop of arithmetic and special functions without memory; whether a path pays is a short branch
// on data at its end; then sums with `thread < active`, by thread number alone.
//
// usage: monte_carlo_asian [options] [paths a thread] [steps]

#include "workload.h"

#define THREADS 128

// Price now, strike, and the price's drift and volatility a step.
struct Option {
    float price, strike, drift, volatility;
};

__device__ inline unsigned int shuffle_bits(unsigned int &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__global__ void monte_carlo_asian(const Option *options, float *values, float *paying, int paths, int steps)
{
    __shared__ float sums[THREADS], pays[THREADS];
    int thread = threadIdx.x;
    Option option = options[blockIdx.x];
    unsigned int state = 1 + (blockIdx.x * THREADS + thread) * 2654435761u;
    float sum = 0, paid = 0;
    for (int path = 0; path < paths; path++) {
        float price = option.price, mean = 0;
        for (int step = 0; step < steps; step += 2) {
            float u = ((shuffle_bits(state) >> 8) + 1) * (1.0f / 16777216.0f);
            float v = (shuffle_bits(state) >> 8) * (6.2831853f / 16777216.0f);
            float radius = sqrtf(-2.0f * logf(u));
            price *= expf(option.drift + option.volatility * radius * cosf(v));
            mean += price;
            price *= expf(option.drift + option.volatility * radius * sinf(v));
            mean += price;
        }
        mean /= steps;
        if (mean > option.strike) {
            sum += mean - option.strike;
            paid += 1;
        }
    }
    sums[thread] = sum;
    pays[thread] = paid;
    for (int active = THREADS / 2; active > 0; active >>= 1) {
        __syncthreads();
        if (thread < active) {
            sums[thread] += sums[thread + active];
            pays[thread] += pays[thread + active];
        }
    }
    if (thread == 0) {
        values[blockIdx.x] = sums[0] / (THREADS * paths);
        paying[blockIdx.x] = pays[0];
    }
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 1), paths = argument(argc, argv, 2, 1), steps = argument(argc, argv, 3, 8);
    if (steps % 2) {
        printf("steps: an even number\n");
        return 2;
    }
    Option *options = (Option *)malloc(count * sizeof(Option));
    for (int i = 0; i < count; i++) {
        float year = 1.0f / steps, volatility = 0.1f + 0.3f * random_unit();
        options[i].price = 50;
        options[i].strike = 45 + 10 * random_unit();
        options[i].drift = (0.06f - 0.5f * volatility * volatility) * year;
        options[i].volatility = volatility * sqrtf(year);
    }
    float *values = device_zeros<float>(count), *paying = device_zeros<float>(count);
    monte_carlo_asian<<<count, THREADS>>>(to_device(options, count), values, paying, paths, steps);
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(values, count), *found_paying = to_host(paying, count);
    // The host follows the same paths of some options, in double precision, by the logarithm of the price.
    int sample = 1 + (int)((double)count * paths * steps * THREADS / 4e4);
    for (int i = 0; i < count; i += sample) {
        double sum = 0;
        int pays = 0;
        for (int thread = 0; thread < THREADS; thread++) {
            unsigned int state = 1 + (i * THREADS + thread) * 2654435761u;
            for (int path = 0; path < paths; path++) {
                double logarithm = log(options[i].price), mean = 0, normal[2];
                for (int step = 0; step < steps; step++) {
                    if (step % 2 == 0) {
                        double random[2];
                        for (int k = 0; k < 2; k++) {
                            state ^= state << 13;
                            state ^= state >> 17;
                            state ^= state << 5;
                            random[k] = state >> 8;
                        }
                        double radius = sqrt(-2 * log((random[0] + 1) / 16777216));
                        normal[0] = radius * cos(random[1] * 6.2831853 / 16777216);
                        normal[1] = radius * sin(random[1] * 6.2831853 / 16777216);
                    }
                    logarithm += options[i].drift + options[i].volatility * normal[step % 2];
                    mean += exp(logarithm) / steps;
                }
                if (mean > options[i].strike) {
                    sum += mean - options[i].strike;
                    pays++;
                }
            }
        }
        expect_float("value of option", i, sum / (THREADS * paths), found[i], 1e-3);
        expect_int("paths that pay, within one", i, 1, fabs(pays - found_paying[i]) <= 1);
    }
    return verdict("monte_carlo_asian");
}
