// branch_masks: arithmetic under execution masks of chosen patterns, of one branch and of nested ones.
//
// Measured in BCC: the masks of Figure 8 (a balanced if/else of which one side has the mask) and of Table 2 (one to
// four nested branches on the bits of the lane: 5555 and AAAA; 1111, 4444, ...; 0101, ...; one lane of sixteen).
// Micro-kernels of the paper's authors, known by these masks only.
//
// Characteristic: the mask of each side is fixed, the same in every group of 16 lanes, and both sides are equally
// long; hardly any memory. Basic cycle compression gains where aligned groups of four lanes are empty, swizzled
// compression also at scattered lanes.
//
// usage: branch_masks [blocks] [rounds] [case]
// case: 1 to 6 are the masks FFFF, F0F0, 00FF, FF0F, AAAA and 000F, 7 to 10 one to four nested branches; 11, the
// default, is all of them. -DWORK=n multiply-adds on each side, 8 by default.

#include "workload.h"

#define THREADS 128
#ifndef WORK
#define WORK 8
#endif

// WORK dependent multiply-adds; `factor` makes each side's code its own.
__device__ inline float work(float x, float factor)
{
#pragma unroll
    for (int i = 0; i < WORK; i++)
        x = x * factor + 0.5f;
    return x;
}

// Figure 8: lanes whose bit of the mask is set on one side, the others on the other.
__global__ void two_sides(float *values, unsigned int mask, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = values[i];
    for (int round = 0; round < rounds; round++) {
        if (mask >> (threadIdx.x & 15) & 1)
            x = work(x, 0.50f);
        else
            x = work(x, 0.25f);
    }
    values[i] = x;
}

// Table 2: LEVELS nested branches on the lane's bits, with work on each of the 2^LEVELS ways.
template <int LEVELS> struct Nest {
    static __device__ inline float run(float x, unsigned int bits, float factor)
    {
        if (bits & 1)
            return Nest<LEVELS - 1>::run(x, bits >> 1, factor + 0.03125f * (1 << LEVELS) * 0.5f);
        else
            return Nest<LEVELS - 1>::run(x, bits >> 1, factor);
    }
};

template <> struct Nest<0> {
    static __device__ inline float run(float x, unsigned int, float factor)
    {
        return work(x, factor);
    }
};

template <int LEVELS> __global__ void nested(float *values, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = values[i];
    for (int round = 0; round < rounds; round++)
        x = Nest<LEVELS>::run(x, threadIdx.x, 0.25f);
    values[i] = x;
}

// The host's result of a thread that took the side with this factor.
static float expected_value(float x, float factor, int rounds)
{
    for (int i = 0; i < WORK * rounds; i++)
        x = x * factor + 0.5f;
    return x;
}

static void compare(const char *what, const float *device, const float *start, int count, int rounds,
                    const float *factors)
{
    float *found = to_host(device, count);
    int sample = 1 + count / 2048 * 17;
    for (int i = 0; i < count; i += sample)
        expect_float(what, i, expected_value(start[i], factors[i % 16], rounds), found[i], 1e-5);
    free(found);
}

template <int LEVELS> static void run_nested(const float *start, int blocks, int rounds)
{
    int count = blocks * THREADS;
    float factors[16], *values = to_device(start, count);
    for (int lane = 0; lane < 16; lane++) {
        factors[lane] = 0.25f;
        for (int level = 0; level < LEVELS; level++)
            if (lane >> level & 1)
                factors[lane] += 0.015625f * (1 << (LEVELS - level));
    }
    nested<LEVELS><<<blocks, THREADS>>>(values, rounds);
    CHECK(cudaDeviceSynchronize());
    compare("nested branches, thread", values, start, count, rounds, factors);
    CHECK(cudaFree(values));
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 2), rounds = argument(argc, argv, 2, 4), only = argument(argc, argv, 3, 11);
    int count = blocks * THREADS;
    float *start = (float *)malloc(count * sizeof(float)), factors[16];
    for (int i = 0; i < count; i++)
        start[i] = random_unit();
    const unsigned int masks[6] = {0xFFFF, 0xF0F0, 0x00FF, 0xFF0F, 0xAAAA, 0x000F};
    for (int m = 0; m < 6; m++) {
        if (only != 11 && only != m + 1)
            continue;
        float *values = to_device(start, count);
        two_sides<<<blocks, THREADS>>>(values, masks[m], rounds);
        CHECK(cudaDeviceSynchronize());
        for (int lane = 0; lane < 16; lane++)
            factors[lane] = masks[m] >> lane & 1 ? 0.50f : 0.25f;
        compare("one branch, thread", values, start, count, rounds, factors);
        CHECK(cudaFree(values));
    }
    if (only == 11 || only == 7)
        run_nested<1>(start, blocks, rounds);
    if (only == 11 || only == 8)
        run_nested<2>(start, blocks, rounds);
    if (only == 11 || only == 9)
        run_nested<3>(start, blocks, rounds);
    if (only == 11 || only == 10)
        run_nested<4>(start, blocks, rounds);
    return verdict("branch_masks");
}
