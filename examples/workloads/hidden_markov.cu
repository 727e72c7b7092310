// hidden_markov: the probability of sequences of observations under a hidden Markov model, by the forward algorithm.
//
// Measured in BCC ("HMM" in Table 1, speech processing, a coherent kernel).
//
// Characteristic: a thread is a state, a block a sequence. Each step is a product of the transition matrix and the
// vector in shared memory (coalesced reads that all blocks share), then a sum over the block to keep the numbers in
// range, `thread < active` by thread number alone.
//
// usage: hidden_markov [sequences] [steps]

#include "workload.h"

#define STATES 128
#define SYMBOLS 16

// transition[i * STATES + j] leads from i to j; emission[symbol * STATES + j] is j's for the symbol.
__global__ void forward(const float *transition, const float *emission, const float *start, const int *observed,
                        int steps, float *logarithms)
{
    __shared__ float alpha[STATES], sum[STATES];
    int j = threadIdx.x;
    const int *sequence = observed + blockIdx.x * steps;
    float logarithm = 0, value = start[j] * emission[sequence[0] * STATES + j];
    for (int step = 0; step < steps; step++) {
        if (step > 0) {
            float total = 0;
            for (int i = 0; i < STATES; i++)
                total += alpha[i] * transition[i * STATES + j];
            value = total * emission[sequence[step] * STATES + j];
        }
        sum[j] = value;
        for (int active = STATES / 2; active > 0; active >>= 1) {
            __syncthreads();
            if (j < active)
                sum[j] += sum[j + active];
        }
        __syncthreads();
        alpha[j] = value / sum[0];
        logarithm += logf(sum[0]);
        __syncthreads();
    }
    if (j == 0)
        logarithms[blockIdx.x] = logarithm;
}

// Rows of random numbers that add up to 1.
static void fill_rows(float *matrix, int rows, int columns)
{
    for (int row = 0; row < rows; row++) {
        float sum = 0;
        for (int i = 0; i < columns; i++)
            sum += matrix[row * columns + i] = 0.05f + random_unit();
        for (int i = 0; i < columns; i++)
            matrix[row * columns + i] /= sum;
    }
}

int main(int argc, char **argv)
{
    int sequences = argument(argc, argv, 1, 2), steps = argument(argc, argv, 2, 3), count = sequences * steps;
    float *transition = (float *)malloc(STATES * STATES * sizeof(float)), start[STATES];
    float *emission = (float *)malloc(SYMBOLS * STATES * sizeof(float));
    int *observed = (int *)malloc(count * sizeof(int));
    fill_rows(transition, STATES, STATES);
    fill_rows(start, 1, STATES);
    for (int i = 0; i < SYMBOLS * STATES; i++)
        emission[i] = 0.1f * random_unit();
    for (int i = 0; i < count; i++)
        observed[i] = random_below(SYMBOLS);
    float *logarithms = device_zeros<float>(sequences);
    forward<<<sequences, STATES>>>(to_device(transition, STATES * STATES), to_device(emission, SYMBOLS * STATES),
                                   to_device(start, STATES), to_device(observed, count), steps, logarithms);
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(logarithms, sequences);
    int sample = 1 + (int)((double)count * STATES * STATES / 4e5);
    for (int s = 0; s < sequences; s += sample) {
        double now[STATES], next[STATES], logarithm = 0;
        for (int step = 0; step < steps; step++) {
            double sum = 0;
            for (int j = 0; j < STATES; j++) {
                next[j] = step == 0 ? start[j] : 0;
                for (int i = 0; i < STATES && step > 0; i++)
                    next[j] += now[i] * transition[i * STATES + j];
                next[j] *= emission[observed[s * steps + step] * STATES + j];
                sum += next[j];
            }
            for (int j = 0; j < STATES; j++)
                now[j] = next[j] / sum;
            logarithm += log(sum);
        }
        expect_float("logarithm of sequence", s, logarithm, found[s], 1e-4);
    }
    return verdict("hidden_markov");
}
