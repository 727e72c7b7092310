// back_propagation: a layer of a neural network forward and its weights back, in whole numbers. A block has
// 16 inputs by 16 neurons; products are added up as a tree in which ever fewer threads take part, by their
// numbers (programmatic, if only), and the error's sign decides how weights are corrected.
//
// usage: back_propagation [inputs]

#include "check.h"

#define SIDE 16

__global__ void forward(const int *inputs, const int *weights, int *partial)
{
    __shared__ int products[SIDE][SIDE];
    int neuron = threadIdx.x, row = threadIdx.y;
    int input = blockIdx.x * SIDE + row;
    products[row][neuron] = inputs[input] * weights[input * SIDE + neuron];
    __syncthreads();
    for (int step = 1; step < SIDE; step *= 2) {
        if (row % (2 * step) == 0)
            products[row][neuron] += products[row + step][neuron];
        __syncthreads();
    }
    // The first thread of each row has a neuron's sum.
    if (neuron == 0)
        partial[blockIdx.x * SIDE + row] = products[0][row];
}

__global__ void backward(const int *inputs, int *weights, const int *errors)
{
    int neuron = threadIdx.x, row = threadIdx.y;
    int input = blockIdx.x * SIDE + row;
    int error = errors[neuron], value = inputs[input];
    int *weight = weights + input * SIDE + neuron;
    if (error > 0) {
        int change = error * value / 64;
        *weight += change > 8 ? 8 : change;
    } else {
        int change = -error * value / 96;
        *weight -= change > 5 ? 5 : change;
    }
}

static void reference(const int *inputs, int *weights, int count, int *errors)
{
    for (int neuron = 0; neuron < SIDE; neuron++) {
        int sum = 0;
        for (int input = 0; input < count; input++)
            sum += inputs[input] * weights[input * SIDE + neuron];
        errors[neuron] = (neuron * 37 % 101 - 50) - sum % 64;
    }
    for (int i = 0; i < count * SIDE; i++) {
        int error = errors[i % SIDE], value = inputs[i / SIDE];
        int up = error * value / 64, down = -error * value / 96;
        weights[i] += error > 0 ? (up > 8 ? 8 : up) : -(down > 5 ? 5 : down);
    }
}

int main(int argc, char **argv)
{
    int blocks = (number(argc, argv, 1, 960) + SIDE - 1) / SIDE, count = blocks * SIDE;
    int *inputs = (int *)malloc(count * sizeof(int));
    int *weights = (int *)malloc(count * SIDE * sizeof(int));
    for (int i = 0; i < count; i++)
        inputs[i] = random_below(20);
    for (int i = 0; i < count * SIDE; i++)
        weights[i] = (int)random_below(41) - 20;
    int *d_inputs = on_device(inputs, count), *d_weights = on_device(weights, count * SIDE);
    int *d_partial = on_device(NULL, count);
    dim3 block(SIDE, SIDE);
    for (int round = 0; round < 3; round++) {
        int errors[SIDE], sums[SIDE] = {0}, wanted[SIDE];
        forward<<<blocks, block>>>(d_inputs, d_weights, d_partial);
        int *partial = on_host(d_partial, count);
        for (int i = 0; i < count; i++)
            sums[i % SIDE] += partial[i];
        for (int i = 0; i < SIDE; i++)
            errors[i] = (i * 37 % 101 - 50) - sums[i] % 64;
        backward<<<blocks, block>>>(d_inputs, d_weights, on_device(errors, SIDE));
        reference(inputs, weights, count, wanted);
        free(partial);
    }
    CHECK(cudaDeviceSynchronize());
    return verdict("back_propagation", weights, d_weights, count * SIDE);
}
