// suite: rodinia
// includes: cuda/backprop
// unchanged
#include "driver.h"
#define main their_main
#include "backprop_cuda.cu"
#undef main

// One layer forward and the change of its weights, against sums on the host.
int main()
{
    const int in = 128, hid = 16, blocks = in / HEIGHT, width = hid + 1;
    static float input[in + 1], weights[(in + 1) * width], partial[blocks * WIDTH], delta[width],
        old[(in + 1) * width], new_weights[(in + 1) * width], new_old[(in + 1) * width];
    srand(5);
    for (int i = 0; i <= in; i++)
        input[i] = i ? rand() % 100 / 100.0f : 1;
    for (int i = 0; i < (in + 1) * width; i++) {
        weights[i] = rand() % 100 / 50.0f - 1;
        old[i] = rand() % 100 / 100.0f;
    }
    for (int i = 0; i < width; i++)
        delta[i] = rand() % 100 / 100.0f;
    float *input_d, *output_d, *weights_d, *partial_d, *delta_d, *old_d;
    cudaMalloc(&input_d, sizeof input);
    cudaMalloc(&output_d, width * sizeof(float));
    cudaMalloc(&weights_d, sizeof weights);
    cudaMalloc(&partial_d, sizeof partial);
    cudaMalloc(&delta_d, sizeof delta);
    cudaMalloc(&old_d, sizeof old);
    cudaMemcpy(input_d, input, sizeof input, cudaMemcpyHostToDevice);
    cudaMemcpy(weights_d, weights, sizeof weights, cudaMemcpyHostToDevice);
    dim3 grid(1, blocks), block(WIDTH, HEIGHT);
    bpnn_layerforward_CUDA<<<grid, block>>>(input_d, output_d, weights_d, partial_d, in, hid);
    cudaMemcpy(partial, partial_d, sizeof partial, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int j = 1; j <= hid; j++) {
        double gold = 0, sum = 0;
        for (int k = 0; k < blocks; k++)
            sum += partial[k * hid + j - 1];
        for (int i = 1; i <= in; i++)
            gold += input[i] * weights[i * width + j];
        wrong += !(fabs(gold - sum) < 1e-4);
    }
    cudaMemcpy(weights_d, weights, sizeof weights, cudaMemcpyHostToDevice);
    cudaMemcpy(old_d, old, sizeof old, cudaMemcpyHostToDevice);
    cudaMemcpy(delta_d, delta, sizeof delta, cudaMemcpyHostToDevice);
    bpnn_adjust_weights_cuda<<<grid, block>>>(delta_d, hid, input_d, in, weights_d, old_d);
    cudaMemcpy(new_weights, weights_d, sizeof weights, cudaMemcpyDeviceToHost);
    cudaMemcpy(new_old, old_d, sizeof old, cudaMemcpyDeviceToHost);
    for (int i = 0; i <= in; i++)
        for (int j = 1; j <= hid; j++) {
            double change = 0.3 * delta[j] * input[i] + 0.3 * old[i * width + j];
            wrong += !(fabs(new_old[i * width + j] - change) < 1e-5);
            wrong += !(fabs(new_weights[i * width + j] - weights[i * width + j] - change) < 1e-5);
        }
    return verdict(wrong, "values");
}

// out: PASS
