// binomial_options: European call options by the binomial tree, an option for each block.
//
// Measured in chapter 4 of the dissertation (BINOM in Table 4.2), in AVC, and in BCC ("BOP" in Table 1, a coherent
// kernel). Modelled on the CUDA SDK's sample "binomialOptions" of the CUDA 2 to 4 releases (2048 steps, 256 threads),
// which walks back through the tree in pieces that fit in shared memory.
//
// Characteristic: each barrier step shrinks the part of the tree by one leaf, `if (thread <= k)`: the warps below `k`
// run whole, one diverges, the others skip; by thread number and loop alone, never compactable. 32 steps of two
// barriers between reads of global memory; two shared arrays in turn.
//
// usage: binomial_options [options] [steps]     (steps: a multiple of 32)

#include "workload.h"

#define CACHE_DELTA 32
#define CACHE_SIZE 256
#define CACHE_STEP (CACHE_SIZE - CACHE_DELTA)
#define RISK_FREE 0.06f
#define VOLATILITY 0.10f

// What one option needs: price, strike, and the tree's constants.
struct Option {
    float price, strike, step_log, up, down;
};

__device__ inline float value_at_expiry(const Option &option, int steps, int i)
{
    float d = option.price * expf(option.step_log * (2.0f * i - steps)) - option.strike;
    return d > 0 ? d : 0;
}

__global__ void binomial_options(const Option *options, float *buffers, float *results, int steps)
{
    __shared__ float callA[CACHE_SIZE + 1], callB[CACHE_SIZE + 1];
    // A block's leaves, in global memory.
    float *leaves = buffers + blockIdx.x * (steps + 16);
    const int tid = threadIdx.x;
    const Option option = options[blockIdx.x];
    const float up = option.up, down = option.down;

    for (int i = tid; i <= steps; i += CACHE_SIZE)
        leaves[i] = value_at_expiry(option, steps, i);

    // CACHE_DELTA steps back at a time, in pieces of CACHE_SIZE leaves, of which CACHE_STEP are new.
    for (int i = steps; i > 0; i -= CACHE_DELTA) {
        for (int c_base = 0; c_base < i; c_base += CACHE_STEP) {
            int c_start = min(CACHE_SIZE - 1, i - c_base), c_end = c_start - CACHE_DELTA;
            __syncthreads();
            if (tid <= c_start)
                callA[tid] = leaves[c_base + tid];
            for (int k = c_start - 1; k >= c_end;) {
                __syncthreads();
                if (tid <= k)
                    callB[tid] = up * callA[tid + 1] + down * callA[tid];
                k--;
                __syncthreads();
                if (tid <= k)
                    callA[tid] = up * callB[tid + 1] + down * callB[tid];
                k--;
            }
            __syncthreads();
            if (tid <= c_end)
                leaves[c_base + tid] = callA[tid];
        }
    }
    if (tid == 0)
        results[blockIdx.x] = callA[0];
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 4), steps = argument(argc, argv, 2, 32);
    if (steps % CACHE_DELTA) {
        printf("steps: a multiple of %d\n", CACHE_DELTA);
        return 2;
    }
    Option *options = (Option *)malloc(count * sizeof(Option));
    for (int i = 0; i < count; i++) {
        float years = 0.25f + 9.75f * random_unit(), step = years / steps;
        float log_step = VOLATILITY * sqrtf(step), growth = expf(RISK_FREE * step);
        float rise = expf(log_step), fall = expf(-log_step), probability = (growth - fall) / (rise - fall);
        options[i].price = 5 + 25 * random_unit();
        options[i].strike = options[i].price * (0.8f + 0.6f * random_unit());
        options[i].step_log = log_step;
        options[i].up = probability / growth;
        options[i].down = (1 - probability) / growth;
    }
    Option *device_options = to_device(options, count);
    float *buffers = device_zeros<float>(count * (steps + 16)), *results = device_zeros<float>(count);
    binomial_options<<<count, CACHE_SIZE>>>(device_options, buffers, results, steps);
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(results, count);

    // The host walks the whole tree of some options, in double precision.
    double *leaf = (double *)malloc((steps + 1) * sizeof(double));
    int sample = 1 + (int)((double)count * steps * steps / 2e6);
    for (int i = 0; i < count; i += sample) {
        double rise = exp((double)options[i].step_log);
        double price = options[i].price * exp(-(double)options[i].step_log * steps);
        for (int k = 0; k <= steps; k++) {
            leaf[k] = price > options[i].strike ? price - options[i].strike : 0;
            price *= rise * rise;
        }
        for (int left = steps; left > 0; left--)
            for (int k = 0; k < left; k++)
                leaf[k] = options[i].up * leaf[k + 1] + options[i].down * leaf[k];
        expect_float("option", i, leaf[0], found[i], 1e-3);
    }
    return verdict("binomial_options");
}
