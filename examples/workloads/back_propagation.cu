// back_propagation: one step of training a neural network of one hidden layer with 16 units.
// Measured in chapters 3 to 6 of the dissertation (Tables 3.2, 4.2, 5.4 and 6.2, Figures 4.4 and 4.17: "BACKP"), in the
// paper on the affine vector cache and in that on intra-warp compaction. Modelled on Rodinia's backprop.
//
// The first kernel multiplies inputs and weights in a tile of 16 by 16 in shared memory and adds up the columns as a
// tree: a branch on the thread's row, taken by every second, fourth, eighth row, so that half a warp is idle and then
// whole warps are. The second kernel corrects the weights; its accesses have a stride of 17 elements.
//
// usage: back_propagation [inputs, a multiple of 16], and -D HIDDEN=8 for the blocks of 8 by 16 threads of Figure 4.17

#include "workload.h"

#ifndef HIDDEN
#define HIDDEN 16
#endif
#define HEIGHT 16
#define RATE 0.3f
#define MOMENTUM 0.3f

// Weight (i, j) of input i, with 0 for the constant one, and hidden unit j, counted from 1 too, is at i * 17 + j.
#define WEIGHTS(inputs) (((inputs) + 1) * (HIDDEN + 1))

__global__ void layer_forward(const float *input, const float *weights, float *partial)
{
    __shared__ float node[HEIGHT];
    __shared__ float product[HEIGHT][HIDDEN];
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (HIDDEN + 1) * HEIGHT * by + (HIDDEN + 1) * ty + tx + 1 + (HIDDEN + 1);
    int index_in = HEIGHT * by + ty + 1;

    if (tx == 0)
        node[ty] = input[index_in];
    __syncthreads();
    product[ty][tx] = weights[index];
    __syncthreads();
    product[ty][tx] = product[ty][tx] * node[ty];
    __syncthreads();
    for (int i = 1; i <= __log2f(HEIGHT); i++) {
        int power_of_two = __powf(2, i);
        if (ty % power_of_two == 0)
            product[ty][tx] = product[ty][tx] + product[ty + power_of_two / 2][tx];
        __syncthreads();
    }
    // With fewer hidden units than rows, some rows have none.
    if (tx == 0 && (HIDDEN >= HEIGHT || ty < HIDDEN))
        partial[by * HIDDEN + ty] = product[tx][ty];
}

__global__ void adjust_weights(const float *delta, const float *input, float *weights, float *old_change)
{
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (HIDDEN + 1) * HEIGHT * by + (HIDDEN + 1) * ty + tx + 1 + (HIDDEN + 1);
    int index_y = HEIGHT * by + ty + 1, index_x = tx + 1;
    weights[index] += RATE * delta[index_x] * input[index_y] + MOMENTUM * old_change[index];
    old_change[index] = RATE * delta[index_x] * input[index_y] + MOMENTUM * old_change[index];
    __syncthreads();
    // The weights of the constant input.
    if (ty == 0 && by == 0) {
        weights[index_x] += RATE * delta[index_x] + MOMENTUM * old_change[index_x];
        old_change[index_x] = RATE * delta[index_x] + MOMENTUM * old_change[index_x];
    }
}

static float squash(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

int main(int argc, char **argv)
{
    int inputs = argument(argc, argv, 1, 1024);
    if (inputs % HEIGHT) {
        printf("the number of inputs must be a multiple of %d\n", HEIGHT);
        return 2;
    }
    int weights_count = WEIGHTS(inputs), blocks = inputs / HEIGHT;
    float *input = (float *)malloc((inputs + 1) * sizeof(float));
    float *weights = (float *)malloc(weights_count * sizeof(float));
    input[0] = 1;
    for (int i = 1; i <= inputs; i++)
        input[i] = random_unit();
    for (int i = 0; i < weights_count; i++)
        weights[i] = random_unit() - 0.5f;

    float *input_there = to_device(input, inputs + 1), *weights_there = to_device(weights, weights_count);
    float *old_there = device_zeros<float>(weights_count), *partial_there = device_zeros<float>(blocks * HIDDEN);
    layer_forward<<<dim3(1, blocks), dim3(HIDDEN, HEIGHT)>>>(input_there, weights_there, partial_there);
    float *partial = to_host(partial_there, blocks * HIDDEN);

    // The host has the few steps from the hidden layer to the output and back: one output with random weights.
    float delta[HIDDEN + 1] = {0}, hidden[HIDDEN], to_output[HIDDEN], output = 0;
    for (int j = 0; j < HIDDEN; j++) {
        float sum = weights[j + 1];
        for (int block = 0; block < blocks; block++)
            sum += partial[block * HIDDEN + j];
        hidden[j] = squash(sum);
        to_output[j] = random_unit() - 0.5f;
        output += hidden[j] * to_output[j];
    }
    output = squash(output);
    float output_delta = output * (1 - output) * (0.1f - output);
    for (int j = 0; j < HIDDEN; j++)
        delta[j + 1] = hidden[j] * (1 - hidden[j]) * output_delta * to_output[j];

    float *delta_there = to_device(delta, HIDDEN + 1);
    adjust_weights<<<dim3(1, blocks), dim3(HIDDEN, HEIGHT)>>>(delta_there, input_there, weights_there, old_there);
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(weights_there, weights_count);

    // Sums of blocks and corrected weights: all, or a sample of the inputs.
    int every = inputs <= 2048 ? 1 : inputs / HEIGHT / 128;
    for (int block = 0; block < blocks; block += every)
        for (int j = 0; j < HIDDEN; j++) {
            double sum = 0;
            for (int i = block * HEIGHT + 1; i <= (block + 1) * HEIGHT; i++) {
                int at = i * (HIDDEN + 1) + j + 1;
                sum += (double)input[i] * weights[at];
                expect_float("weight", at, weights[at] + (double)RATE * delta[j + 1] * input[i], found[at], 1e-6);
            }
            expect_float("sum", block * HIDDEN + j, sum, partial[block * HIDDEN + j], 1e-5);
        }
    for (int j = 1; j <= HIDDEN; j++)
        expect_float("weight", j, weights[j] + (double)RATE * delta[j], found[j], 1e-6);
    CHECK(cudaFree(input_there));
    CHECK(cudaFree(weights_there));
    CHECK(cudaFree(old_there));
    CHECK(cudaFree(partial_there));
    CHECK(cudaFree(delta_there));
    return verdict("back_propagation");
}
