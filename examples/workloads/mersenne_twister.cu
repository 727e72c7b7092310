// mersenne_twister: many small twisters at once, and normally distributed numbers from theirs.
//
// Measured in BCC ("MT" and "MT-A" in Table 1, coherent kernels). Modelled on the CUDA SDK's sample "MersenneTwister":
// 4096 twisters of 19 words, 32 blocks of 128 threads, then the Box-Muller transformation. The SDK reads constants
// found for each twister from a file; here they are seeded, which changes the quality of the numbers only.
//
// Characteristic: a thread is a twister with its state in an array of local memory, whose places wrap around at the
// same time in all threads; numbers are written so that neighbours' lie side by side. No divergence.
//
// usage: mersenne_twister [blocks] [numbers of a twister]     (an even number)

#include "workload.h"

#define THREADS 128
#define WORDS 19
#define MIDDLE 9
#define UPPER 0xFFFFFFFEu
#define LOWER 0x1u
#define PI 3.14159265358979f

struct Twister {
    unsigned int matrix, mask_b, mask_c, seed;
};

__global__ void twist(float *numbers, const Twister *twisters, int count)
{
    const int thread = blockDim.x * blockIdx.x + threadIdx.x, threads = blockDim.x * gridDim.x;
    unsigned int state[WORDS];
    Twister twister = twisters[thread];
    state[0] = twister.seed;
    for (int i = 1; i < WORDS; i++)
        state[i] = 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
    int now = 0;
    unsigned int next = state[0];
    for (int out = 0; out < count; out++) {
        int after = now + 1, middle = now + MIDDLE;
        if (after >= WORDS)
            after -= WORDS;
        if (middle >= WORDS)
            middle -= WORDS;
        unsigned int current = next;
        next = state[after];
        unsigned int x = (current & UPPER) | (next & LOWER);
        x = state[middle] ^ (x >> 1) ^ (x & 1 ? twister.matrix : 0);
        state[now] = x;
        now = after;
        x ^= x >> 12;
        x ^= (x << 7) & twister.mask_b;
        x ^= (x << 15) & twister.mask_c;
        x ^= x >> 18;
        numbers[thread + out * threads] = ((float)x + 1.0f) / 4294967296.0f;
    }
}

// Turns pairs of uniform numbers into pairs of normal ones.
__global__ void box_muller(float *numbers, int count)
{
    const int thread = blockDim.x * blockIdx.x + threadIdx.x, threads = blockDim.x * gridDim.x;
    for (int out = 0; out < count; out += 2) {
        float u = numbers[thread + out * threads], v = numbers[thread + (out + 1) * threads];
        float radius = sqrtf(-2.0f * logf(u)), angle = 2 * PI * v;
        numbers[thread + out * threads] = radius * cosf(angle);
        numbers[thread + (out + 1) * threads] = radius * sinf(angle);
    }
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 2), count = argument(argc, argv, 2, 20), threads = blocks * THREADS;
    if (count % 2) {
        printf("the numbers of a twister must be even\n");
        return 2;
    }
    Twister *twisters = (Twister *)malloc(threads * sizeof(Twister));
    for (int i = 0; i < threads; i++) {
        twisters[i].matrix = random_bits() | 0x80000000u;
        twisters[i].mask_b = random_bits() & 0xFFFFFF80u;
        twisters[i].mask_c = random_bits() & 0xFFFF8000u;
        twisters[i].seed = random_bits();
    }
    float *numbers = device_zeros<float>(threads * count);
    twist<<<blocks, THREADS>>>(numbers, to_device(twisters, threads), count);
    CHECK(cudaDeviceSynchronize());
    float *uniform = to_host(numbers, threads * count);
    box_muller<<<blocks, THREADS>>>(numbers, count);
    CHECK(cudaDeviceSynchronize());
    float *normal = to_host(numbers, threads * count);

    // The host writes a twister's words as one long sequence.
    unsigned int *words = (unsigned int *)malloc((WORDS + count) * sizeof(int));
    int step = 1 + threads * count / 20000;
    for (int i = 0; i < threads; i += step) {
        words[0] = twisters[i].seed;
        for (int k = 1; k < WORDS; k++)
            words[k] = 1812433253u * (words[k - 1] ^ (words[k - 1] >> 30)) + k;
        for (int k = 0; k < count; k++) {
            unsigned int both = (words[k] & UPPER) | (words[k + 1] & LOWER);
            words[WORDS + k] = words[k + MIDDLE] ^ (both >> 1) ^ (both % 2 * twisters[i].matrix);
            unsigned int x = words[WORDS + k];
            x ^= x >> 12;
            x ^= x * 128u & twisters[i].mask_b;
            x ^= x * 32768u & twisters[i].mask_c;
            x ^= x >> 18;
            expect_float("uniform number", i + k * threads, (x + 1.0) / 4294967296.0, uniform[i + k * threads], 1e-6);
        }
        for (int k = 0; k < count; k += 2) {
            double u = uniform[i + k * threads], v = uniform[i + (k + 1) * threads];
            double x = normal[i + k * threads], y = normal[i + (k + 1) * threads];
            expect_float("radius of pair", i + k * threads, -2 * log(u), x * x + y * y, 1e-3);
            expect_float("angle of pair", i + k * threads, sin(2 * PI * v) * sqrt(x * x + y * y), y, 1e-3);
        }
    }
    return verdict("mersenne_twister");
}
