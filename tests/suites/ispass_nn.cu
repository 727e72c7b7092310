// suite: ispass
// includes: NN
// unchanged
#include "driver.h"
#define main their_main
#include "NN.cu"
#undef main

// A neuron's value.
static float squash(double sum) { return 1.7159 * tanh(0.66666667 * sum); }

static int differ(const float *device, const float *gold, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += !(fabsf(device[i] - gold[i]) < 1e-4f);
    return wrong;
}

// The four layers of a network that reads digits, of two pictures at once, against the host.
int main()
{
    const int images = 2, n1 = 29 * 29, n2 = 6 * 13 * 13, n3 = 50 * 5 * 5, n4 = 100, n5 = 10;
    const int w1 = 6 * 26, w2 = 50 * 26 * 6, w3 = 100 * 1251, w4 = 10 * 101;
    static float a1[images * n1], a2[images * n2], a3[images * n3], a4[images * n4], a5[images * n5];
    static float b2[images * n2], b3[images * n3], b4[images * n4], b5[images * n5];
    static float weights[w1 + w2 + w3 + w4];
    srand(22);
    for (int i = 0; i < images * n1; i++)
        a1[i] = rand() % 256 / 128.0f - 1;
    for (int i = 0; i < w1 + w2 + w3 + w4; i++)
        weights[i] = (rand() % 200 - 100) / 1000.0f;
    float *d1, *d2, *d3, *d4, *d5, *w;
    cudaMalloc(&d1, sizeof a1);
    cudaMalloc(&d2, sizeof a2);
    cudaMalloc(&d3, sizeof a3);
    cudaMalloc(&d4, sizeof a4);
    cudaMalloc(&d5, sizeof a5);
    cudaMalloc(&w, sizeof weights);
    cudaMemcpy(d1, a1, sizeof a1, cudaMemcpyHostToDevice);
    cudaMemcpy(w, weights, sizeof weights, cudaMemcpyHostToDevice);
    executeFirstLayer<<<dim3(6, images), dim3(13, 13)>>>(d1, w, d2);
    executeSecondLayer<<<dim3(50, images), dim3(5, 5)>>>(d2, w + w1, d3);
    executeThirdLayer<<<dim3(100, images), 1>>>(d3, w + w1 + w2, d4);
    executeFourthLayer<<<dim3(10, images), 1>>>(d4, w + w1 + w2 + w3, d5);
    cudaMemcpy(b2, d2, sizeof b2, cudaMemcpyDeviceToHost);
    cudaMemcpy(b3, d3, sizeof b3, cudaMemcpyDeviceToHost);
    cudaMemcpy(b4, d4, sizeof b4, cudaMemcpyDeviceToHost);
    cudaMemcpy(b5, d5, sizeof b5, cudaMemcpyDeviceToHost);
    for (int image = 0; image < images; image++) {
        for (int f = 0; f < 6; f++)
            for (int at = 0; at < 169; at++) {
                double sum = weights[f * 26];
                for (int i = 0; i < 25; i++)
                    sum += a1[image * n1 + (at / 13 * 2 + i / 5) * 29 + at % 13 * 2 + i % 5] * weights[f * 26 + 1 + i];
                a2[image * n2 + f * 169 + at] = squash(sum);
            }
        for (int f = 0; f < 50; f++)
            for (int at = 0; at < 25; at++) {
                const float *own = weights + w1 + f * 26 * 6;
                double sum = own[0];
                for (int i = 0; i < 25; i++)
                    for (int from = 0; from < 6; from++)
                        sum += a2[image * n2 + from * 169 + (at / 5 * 2 + i / 5) * 13 + at % 5 * 2 + i % 5]
                            * own[1 + i * 6 + from];
                a3[image * n3 + f * 25 + at] = squash(sum);
            }
        for (int k = 0; k < n4 + n5; k++) {
            bool last = k >= n4;
            const float *own = last ? weights + w1 + w2 + w3 + (k - n4) * 101 : weights + w1 + w2 + k * 1251;
            const float *from = last ? a4 + image * n4 : a3 + image * n3;
            double sum = own[0];
            for (int i = 0; i < (last ? n4 : n3); i++)
                sum += from[i] * own[1 + i];
            *(last ? &a5[image * n5 + k - n4] : &a4[image * n4 + k]) = squash(sum);
        }
    }
    int wrong = differ(b2, a2, images * n2) + differ(b3, a3, images * n3) + differ(b4, a4, images * n4)
        + differ(b5, a5, images * n5);
    return verdict(wrong, "neurons");
}

// out: PASS
