// particle_filter: follows a bright disc through a noisy film by a particle filter: motion and likelihood of each
// particle, normalised weights, and resampling by a search of the weights' running sums.
//
// Measured in chapters 4 and 6 of the dissertation (PFLT in Tables 4.2 and 6.2) and in BCC ("Part" in Table 1; a
// divergent kernel in its text). Modelled on Rodinia's particlefilter (the version with all steps on the GPU, 512
// threads a block; its own input is 128 x 128 pixels, 10 frames, 1000 particles).
//
// Characteristic: `find_index` is a linear search: all threads of a warp scan the same running sums from the first
// one, and each leaves the loop at its own place by `break`. Weights are exponents of large numbers (hence double
// precision), so that few particles have nearly all of the sum, and the running sums rise in steps. The time grows with
// the square of the particles. `likelihood` reads 69 scattered pixels a particle. One thread alone adds up the weights
// of all blocks and writes the running sums.
//
// As the search is quadratic, `full` does not fill the machine three times: 16 blocks of 512. Rodinia's kernels read
// the first random number of the resampling while another block writes it; here the next kernel reads it.
//
// usage: particle_filter [particles] [frames] [pixels across]

#include "workload.h"

#define THREADS 512
#define RADIUS 5
#define PI 3.14159265358979

// A linear congruential generator, a state for each particle.
__device__ inline double random_uniform(int *seed, int i)
{
    unsigned int next = 1103515245u * (unsigned int)seed[i] + 12345u;
    seed[i] = (int)(next & 0x7fffffff);
    return (seed[i] >> 7) * (1.0 / 16777216.0);
}

__device__ inline double random_normal(int *seed, int i)
{
    double u = random_uniform(seed, i), v = random_uniform(seed, i);
    return sqrt(-2.0 * log(u + 1e-7)) * cos(2.0 * PI * v);
}

// Moves the particles, weighs them by the pixels of the disc around them, and adds the weights of a block.
__global__ void likelihood(double *x, double *y, const double *from_x, const double *from_y, const int *disc,
                           int disc_pixels, const unsigned char *film, int size, int frames, int frame, double *weights,
                           double *partial_sums, int *seed, int particles)
{
    __shared__ double buffer[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < particles) {
        x[i] = from_x[i] + 1.0 + 5.0 * random_normal(seed, i);
        y[i] = from_y[i] - 2.0 + 2.0 * random_normal(seed, i);
        weights[i] = 1.0 / particles;
    }
    __syncthreads();
    if (i < particles) {
        double sum = 0;
        int limit = size * size * frames;
        for (int k = 0; k < disc_pixels; k++) {
            int column = (int)floor(x[i] + 0.5) + disc[2 * k + 1];
            int row = (int)floor(y[i] + 0.5) + disc[2 * k];
            int at = abs(column * size * frames + row * frames + frame);
            if (at >= limit)
                at = 0;
            double pixel = film[at];
            sum += ((pixel - 100.0) * (pixel - 100.0) - (pixel - 228.0) * (pixel - 228.0)) / 50.0;
        }
        weights[i] = weights[i] * exp(sum / disc_pixels);
    }
    buffer[threadIdx.x] = i < particles ? weights[i] : 0.0;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            buffer[threadIdx.x] += buffer[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial_sums[blockIdx.x] = buffer[0];
}

// One thread adds up what the blocks have.
__global__ void sum_weights(double *partial_sums, int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        double sum = 0;
        for (int k = 0; k < blocks; k++)
            sum += partial_sums[k];
        partial_sums[0] = sum;
    }
}

__global__ void normalize_weights(double *weights, const double *partial_sums, int particles)
{
    __shared__ double sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        sum = partial_sums[0];
    __syncthreads();
    if (i < particles)
        weights[i] = weights[i] / sum;
}

// The running sums, and the random place where the resampling begins, by one thread.
__global__ void running_sums(double *sums, const double *weights, double *first, int *seed, int particles)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        double sum = 0;
        for (int k = 0; k < particles; k++) {
            sum += weights[k];
            sums[k] = sum;
        }
        first[0] = random_uniform(seed, i) / particles;
    }
}

// Each thread takes over the first particle whose running sum reaches its own evenly spaced number.
__global__ void find_index(const double *x, const double *y, const double *sums, const double *first, double *to_x,
                           double *to_y, int *taken, int particles)
{
    __shared__ double start;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        start = first[0];
    __syncthreads();
    if (i < particles) {
        double u = start + i / (double)particles;
        int index = -1;
        for (int k = 0; k < particles; k++) {
            if (sums[k] >= u) {
                index = k;
                break;
            }
        }
        if (index == -1)
            index = particles - 1;
        to_x[i] = x[index];
        to_y[i] = y[index];
        taken[i] = index;
    }
}

// A dark film (100) with a bright disc (228) that moves by (1, -2) a frame, and noise.
static void make_film(unsigned char *film, int size, int frames)
{
    for (int column = 0; column < size; column++) {
        for (int row = 0; row < size; row++) {
            for (int frame = 0; frame < frames; frame++) {
                int dx = column - (size / 2 + frame), dy = row - (size / 2 - 2 * frame);
                int value = dx * dx + dy * dy < RADIUS * RADIUS ? 228 : 100;
                film[(column * size + row) * frames + frame] = value + (int)random_below(11) - 5;
            }
        }
    }
}

int main(int argc, char **argv)
{
    int particles = argument(argc, argv, 1, 512), frames = argument(argc, argv, 2, 3);
    int size = argument(argc, argv, 3, 32);
    int blocks = (particles + THREADS - 1) / THREADS;
    if (frames < 2) {
        printf("a film has at least 2 frames\n");
        return 2;
    }
    unsigned char *film = (unsigned char *)malloc(size * size * frames);
    make_film(film, size, frames);
    int disc[8 * RADIUS * RADIUS], disc_pixels = 0;
    for (int dx = -RADIUS + 1; dx < RADIUS; dx++) {
        for (int dy = -RADIUS + 1; dy < RADIUS; dy++) {
            if (dx * dx + dy * dy < RADIUS * RADIUS) {
                disc[2 * disc_pixels] = dy;
                disc[2 * disc_pixels + 1] = dx;
                disc_pixels++;
            }
        }
    }
    double *start = (double *)malloc(particles * sizeof(double));
    int *seeds = (int *)malloc(particles * sizeof(int));
    for (int i = 0; i < particles; i++) {
        start[i] = size / 2;
        seeds[i] = random_bits() & 0x7fffffff;
    }

    double *from_x = to_device(start, particles), *from_y = to_device(start, particles);
    double *x = device_zeros<double>(particles), *y = device_zeros<double>(particles);
    double *weights = device_zeros<double>(particles), *sums = device_zeros<double>(particles);
    double *partial = device_zeros<double>(blocks), *first = device_zeros<double>(1);
    int *seed = to_device(seeds, particles), *taken = device_zeros<int>(particles);
    int *device_disc = to_device(disc, 2 * disc_pixels);
    unsigned char *device_film = to_device(film, size * size * frames);
    for (int frame = 1; frame < frames; frame++) {
        likelihood<<<blocks, THREADS>>>(x, y, from_x, from_y, device_disc, disc_pixels, device_film, size, frames,
                                        frame, weights, partial, seed, particles);
        sum_weights<<<blocks, THREADS>>>(partial, blocks);
        normalize_weights<<<blocks, THREADS>>>(weights, partial, particles);
        running_sums<<<1, 1>>>(sums, weights, first, seed, particles);
        find_index<<<blocks, THREADS>>>(x, y, sums, first, from_x, from_y, taken, particles);
    }
    CHECK(cudaDeviceSynchronize());

    // The host repeats the last frame from the particles as they had moved: weights, running sums, and who was taken.
    double *moved_x = to_host(x, particles), *moved_y = to_host(y, particles), *found = to_host(weights, particles);
    double *running = to_host(sums, particles), *begin = to_host(first, 1), *new_x = to_host(from_x, particles);
    int *indices = to_host(taken, particles);
    int last = frames - 1, sample = 1 + particles / 1024;
    double total = 0, mean_x = 0, mean_y = 0;
    double *expected = (double *)malloc(particles * sizeof(double));
    for (int i = 0; i < particles; i++) {
        expected[i] = -1;
        total += found[i];
        mean_x += moved_x[i] * found[i];
        mean_y += moved_y[i] * found[i];
        if (i % sample != 0)
            continue;
        int column = (int)floor(moved_x[i] + 0.5), row = (int)floor(moved_y[i] + 0.5), sum = 0;
        for (int k = 0; k < disc_pixels; k++) {
            int at = ((column + disc[2 * k + 1]) * size + row + disc[2 * k]) * frames + last;
            at = at < 0 ? -at : at;
            int pixel = film[at < size * size * frames ? at : 0];
            sum += (pixel - 100) * (pixel - 100) - (pixel - 228) * (pixel - 228);
        }
        expected[i] = sum / (50.0 * disc_pixels);
    }
    expect_float("sum of the weights", 0, 1, total, 1e-9);
    // Weights are exponents times one factor, which falls out beside the first particle.
    for (int i = 0; i < particles; i += sample)
        expect_float("logarithm of weight", i, expected[i] - expected[0], log(found[i] / found[0]), 1e-9);
    double sum = 0;
    for (int i = 0; i < particles; i++) {
        sum += found[i];
        expect_float("running sum", i, sum, running[i], 1e-9);
    }
    int wrong_taken = 0, at = 0;
    for (int i = 0; i < particles; i++) {
        double u = begin[0] + i / (double)particles;
        while (at < particles && running[at] < u)
            at++;
        int index = at < particles ? at : particles - 1;
        wrong_taken += indices[i] != index || new_x[i] != moved_x[index];
    }
    expect_int("particles taken wrongly", 0, 0, wrong_taken);
    printf("disc at (%d, %d), estimated at (%.1f, %.1f)\n", size / 2 + last, size / 2 - 2 * last, mean_x, mean_y);
    return verdict("particle_filter");
}
