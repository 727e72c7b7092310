// neural_network: a convolutional network that recognises handwritten digits, as the NN benchmark of GPGPU-Sim's
// ISPASS 2009 suite: four kernels, one for each layer, for a batch of images of 29 x 29. 6 maps of 13 x 13 and 50 maps
// of 5 x 5 by convolutions of 5 x 5 with a stride of 2, then 100 and 10 neurons that see all of the layer before.
//
// Measured by: dissertation chapter 5 (Table 5.4, NN: 78 M instructions, 3.65 sectors of a line used).
// Characteristic: a block has one map or neuron of one image. Blocks of 13 x 13 and 5 x 5 threads do not fill their
// warps, and those of the last two layers have one thread, which reads 1250 weights one after the other. Tables
// of offsets in constant memory; weights are shared by images, inputs by maps.
//
// usage: neural_network [images [neurons of the third layer]]

#include "workload.h"

const int WIDTH = 29, MAPS1 = 6, SIDE1 = 13, MAPS2 = 50, SIDE2 = 5, MOST3 = 100, NEURONS4 = 10;
const int SIZE0 = WIDTH * WIDTH, SIZE1 = MAPS1 * SIDE1 * SIDE1, SIZE2 = MAPS2 * SIDE2 * SIDE2;

// Where the 25 inputs of a convolution lie, from its first one.
__constant__ int offsets1[25] = {0,  1,  2,  3,  4,  29, 30, 31,  32,  33,  58,  59, 60,
                                 61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
__constant__ int offsets2[25] = {0,  1,  2,  3,  4,  13, 14, 15, 16, 17, 26, 27, 28,
                                 29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};

__device__ float squash(float x)
{
    return 1.7159f * tanhf(0.66666667f * x);
}

__global__ void first_layer(const float *images, const float *weights, float *out)
{
    int map = blockIdx.x, x = threadIdx.x, y = threadIdx.y, image = blockIdx.y;
    int weight = map * 26, window = (y * WIDTH + x) * 2 + SIZE0 * image;
    float sum = weights[weight];
    weight++;
    for (int i = 0; i < 25; i++)
        sum += images[window + offsets1[i]] * weights[weight + i];
    out[SIZE1 * image + map * SIDE1 * SIDE1 + y * SIDE1 + x] = squash(sum);
}

__global__ void second_layer(const float *in, const float *weights, float *out)
{
    int map = blockIdx.x, x = threadIdx.x, y = threadIdx.y, image = blockIdx.y;
    int weight = map * 26 * MAPS1, window = (y * SIDE1 + x) * 2 + SIZE1 * image;
    float sum = weights[weight];
    weight++;
    for (int i = 0; i < 25; i++) {
        for (int from = 0; from < MAPS1; from++)
            sum += in[window + SIDE1 * SIDE1 * from + offsets2[i]] * weights[weight + i * MAPS1 + from];
    }
    out[SIZE2 * image + map * SIDE2 * SIDE2 + y * SIDE2 + x] = squash(sum);
}

__global__ void third_layer(const float *in, const float *weights, float *out, int neurons)
{
    int neuron = blockIdx.x, image = blockIdx.y, weight = neuron * (SIZE2 + 1);
    float sum = weights[weight];
    weight++;
    for (int i = 0; i < SIZE2; i++)
        sum += in[i + SIZE2 * image] * weights[weight + i];
    out[neuron + neurons * image] = squash(sum);
}

__global__ void fourth_layer(const float *in, const float *weights, float *out, int inputs)
{
    int neuron = blockIdx.x, image = blockIdx.y, weight = neuron * (inputs + 1);
    float sum = weights[weight];
    weight++;
    for (int i = 0; i < inputs; i++)
        sum += in[i + inputs * image] * weights[weight + i];
    out[neuron + NEURONS4 * image] = squash(sum);
}

float *random_weights(int count, float scale)
{
    float *weights = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++)
        weights[i] = (random_unit() - 0.5f) * scale;
    return weights;
}

// A layer of maps on the host: `width` is that of the maps before, `stride` the distance of weights that follow on
// each other in a window.
void host_maps(const float *in, const float *weights, float *out, int maps, int side, int before, int width)
{
    for (int map = 0; map < maps; map++) {
        const float *w = weights + map * 26 * before;
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                float sum = w[0];
                for (int from = 0; from < before; from++)
                    for (int i = 0; i < 25; i++)
                        sum += in[from * width * width + (2 * y + i / 5) * width + 2 * x + i % 5]
                               * w[1 + i * before + from];
                out[(map * side + y) * side + x] = 1.7159f * tanhf(sum * 2 / 3);
            }
        }
    }
}

void host_neurons(const float *in, const float *weights, float *out, int neurons, int inputs)
{
    for (int neuron = 0; neuron < neurons; neuron++) {
        const float *w = weights + neuron * (inputs + 1);
        float sum = w[0];
        for (int i = 0; i < inputs; i++)
            sum += in[i] * w[i + 1];
        out[neuron] = 1.7159f * tanhf(sum * 2 / 3);
    }
}

int main(int argc, char **argv)
{
    int images = argument(argc, argv, 1, 2), neurons3 = argument(argc, argv, 2, MOST3);
    neurons3 = neurons3 < MOST3 ? neurons3 : MOST3;
    float *pixels = (float *)malloc(images * SIZE0 * sizeof(float));
    // Strokes: bright where one of three circles passes.
    for (int image = 0; image < images; image++) {
        int cx = 8 + random_below(13), cy = 8 + random_below(13), r = 3 + random_below(8);
        for (int i = 0; i < SIZE0; i++) {
            int dx = i % WIDTH - cx, dy = i / WIDTH - cy, off = dx * dx + dy * dy - r * r;
            pixels[image * SIZE0 + i] = off * off < 4 * r * r ? 1 : -1;
        }
    }
    float *w1 = random_weights(26 * MAPS1, 0.4f), *w2 = random_weights(26 * MAPS1 * MAPS2, 0.3f);
    float *w3 = random_weights((SIZE2 + 1) * neurons3, 0.1f), *w4 = random_weights((neurons3 + 1) * NEURONS4, 0.3f);
    float *d_pixels = to_device(pixels, images * SIZE0);
    float *d_w1 = to_device(w1, 26 * MAPS1), *d_w2 = to_device(w2, 26 * MAPS1 * MAPS2);
    float *d_w3 = to_device(w3, (SIZE2 + 1) * neurons3), *d_w4 = to_device(w4, (neurons3 + 1) * NEURONS4);
    float *d_1 = device_zeros<float>(images * SIZE1), *d_2 = device_zeros<float>(images * SIZE2);
    float *d_3 = device_zeros<float>(images * neurons3), *d_4 = device_zeros<float>(images * NEURONS4);
    first_layer<<<dim3(MAPS1, images), dim3(SIDE1, SIDE1)>>>(d_pixels, d_w1, d_1);
    second_layer<<<dim3(MAPS2, images), dim3(SIDE2, SIDE2)>>>(d_1, d_w2, d_2);
    third_layer<<<dim3(neurons3, images), 1>>>(d_2, d_w3, d_3, neurons3);
    fourth_layer<<<dim3(NEURONS4, images), 1>>>(d_3, d_w4, d_4, neurons3);
    printf("neural_network: %d images\n", images);

    float *found = to_host(d_4, images * NEURONS4), *maps = to_host(d_2, images * SIZE2);
    float one[SIZE1], two[SIZE2], three[MOST3], four[NEURONS4];
    // The first and the last image on the host.
    for (int image = 0; image < images; image += images > 1 ? images - 1 : 1) {
        host_maps(pixels + image * SIZE0, w1, one, MAPS1, SIDE1, 1, WIDTH);
        host_maps(one, w2, two, MAPS2, SIDE2, MAPS1, SIDE1);
        host_neurons(two, w3, three, neurons3, SIZE2);
        host_neurons(three, w4, four, NEURONS4, neurons3);
        for (int i = 0; i < SIZE2; i++)
            expect_float("second layer", i, two[i], maps[image * SIZE2 + i], 1e-4);
        for (int i = 0; i < NEURONS4; i++)
            expect_float("output", image * NEURONS4 + i, four[i], found[image * NEURONS4 + i], 1e-4);
    }
    return verdict("neural_network");
}
