// two_point_correlation: histograms of the angles between all pairs of points on the sky, within a set of observed
// points and sets of random points, and between the observed and each random set.
//
// DAC's kind of program; our text of that paper stops before its list. Modelled on Parboil's TPACF.
//
// Characteristic: one block of 256 threads for each histogram; tiles of one set in shared memory, one point of the
// other set for each thread; for each pair a binary search among 20 bins whose bounds lie in constant memory
// (data-dependent branches and constant addresses that differ between lanes), then an atomic addition to one of 128
// histograms in shared memory, shared by two threads each; at the end these are summed in a tree.
//
// usage: two_point_correlation [random sets [points in a set]]; 2 sets + 1 blocks

#include "workload.h"

#define THREADS 256
#define BINS 20
#define BINS_PER_DECADE 5
#define HISTOGRAMS (THREADS / 2)

typedef unsigned long long bin_count;

struct position {
    float x, y, z;
};

__constant__ float bin_bound[BINS + 1];

// Block 0 .. sets: pairs within that set; block sets + 1 .. 2 sets: pairs of set 0 with set block - sets.
__global__ void histograms(bin_count *result, const float *all_x, const float *all_y, const float *all_z, int sets,
                           int points)
{
    __shared__ position tile[THREADS];
    __shared__ unsigned counts[BINS][HISTOGRAMS];
    int thread = threadIdx.x;
    bool self = blockIdx.x <= sets;

    for (int w = 0; w < BINS * HISTOGRAMS; w += THREADS)
        if (w + thread < BINS * HISTOGRAMS)
            counts[(w + thread) / HISTOGRAMS][(w + thread) % HISTOGRAMS] = 0;

    const float *data_x = all_x, *data_y = all_y, *data_z = all_z;
    int second = points * (self ? blockIdx.x : blockIdx.x - sets);
    const float *random_x = all_x + second, *random_y = all_y + second, *random_z = all_z + second;
    if (self) {
        data_x = random_x;
        data_y = random_y;
        data_z = random_z;
    }

    for (int i = 0; i < points; i += THREADS) {
        // The last round's readers are done before the tile changes.
        __syncthreads();
        if (thread + i < points) {
            position p = {data_x[thread + i], data_y[thread + i], data_z[thread + i]};
            tile[thread] = p;
        }
        __syncthreads();

        for (int j = self ? i + 1 : 0; j < points; j += THREADS) {
            float x = 0.0f, y = 0.0f, z = 0.0f;
            if (thread + j < points) {
                x = random_x[thread + j];
                y = random_y[thread + j];
                z = random_z[thread + j];
            }
            for (int k = 0; k < THREADS && k + i < points; k++) {
                float cosine = tile[k].x * x + tile[k].y * y + tile[k].z * z;
                unsigned low = 0, high = BINS;
                while (high > low + 1) {
                    unsigned middle = (low + high) / 2;
                    if (cosine >= bin_bound[middle])
                        high = middle;
                    else
                        low = middle;
                }
                if (cosine < bin_bound[low] && cosine >= bin_bound[high] && (!self || thread + j > i + k)
                    && thread + j < points)
                    atomicAdd(&counts[high - 1][thread / 2], 1u);
            }
        }
    }

    int lane = thread & (HISTOGRAMS / 2 - 1);
    int bin = thread / (HISTOGRAMS / 2);
    for (int offset = HISTOGRAMS / 2; offset > 0; offset >>= 1)
        for (int base = 0; base < BINS; base += THREADS / (HISTOGRAMS / 2)) {
            __syncthreads();
            if (lane < offset && base + bin < BINS)
                counts[base + bin][lane] += counts[base + bin][lane + offset];
        }
    __syncthreads();
    if (thread < BINS)
        result[BINS * blockIdx.x + thread] = counts[thread][0];
}

// One block's histogram in double precision; `unsure` counts pairs whose bin a rounding error may change.
static void host_histogram(const float *x, const float *y, const float *z, int first, int second, int points,
                           const float *bounds, int *counts, int *unsure)
{
    for (int i = 0; i < BINS; i++)
        counts[i] = unsure[i] = 0;
    for (int i = 0; i < points; i++) {
        double xi = x[first + i], yi = y[first + i], zi = z[first + i];
        for (int j = first == second ? i + 1 : 0; j < points; j++) {
            double cosine = xi * x[second + j] + yi * y[second + j] + zi * z[second + j];
            // Bounds fall: most pairs are in the last bins.
            int bin = BINS;
            while (bin >= 0 && cosine >= bounds[bin])
                bin--;
            if (bin >= 0 && bin < BINS)
                counts[bin]++;
            for (int b = bin < 0 ? 0 : bin; b <= bin + 1 && b <= BINS; b++)
                if (fabs(cosine - bounds[b]) < 1e-6) {
                    if (b < BINS)
                        unsure[b]++;
                    if (b > 0)
                        unsure[b - 1]++;
                }
        }
    }
}

int main(int argc, char **argv)
{
    int sets = argument(argc, argv, 1, 67);
    int points = argument(argc, argv, 2, 192);
    int all = (sets + 1) * points, blocks = 2 * sets + 1;

    float bounds[BINS + 1];
    for (int i = 0; i <= BINS; i++)
        bounds[i] = cos(pow(10.0, i * 1.0 / BINS_PER_DECADE) / 60.0 * M_PI / 180.0);
    CHECK(cudaMemcpyToSymbol(bin_bound, bounds, sizeof bounds));

    float *x = (float *)malloc(all * sizeof(float)), *y = (float *)malloc(all * sizeof(float));
    float *z = (float *)malloc(all * sizeof(float));
    for (int i = 0; i < all; i++) {
        // The observed points cluster: their declination is that of one band of the sky.
        float ascension = 2.0f * (float)M_PI * random_unit();
        float declination = asinf(2.0f * random_unit() - 1.0f) * (i < points ? 0.3f : 1.0f);
        x[i] = cosf(ascension) * cosf(declination);
        y[i] = sinf(ascension) * cosf(declination);
        z[i] = sinf(declination);
    }
    float *device_x = to_device(x, all), *device_y = to_device(y, all), *device_z = to_device(z, all);
    bin_count *device_result = device_zeros<bin_count>(blocks * BINS);
    histograms<<<blocks, THREADS>>>(device_result, device_x, device_y, device_z, sets, points);
    CHECK(cudaGetLastError());
    bin_count *result = to_host(device_result, blocks * BINS);

    // Every pair is in some bin, but for a few closer than a minute of arc or farther than 10000.
    for (int block = 0; block < blocks; block++) {
        long long total = 0, pairs = (long long)points * points;
        if (block <= sets)
            pairs = (long long)points * (points - 1) / 2;
        for (int i = 0; i < BINS; i++)
            total += result[block * BINS + i];
        expect_float("share of pairs of block", block, 1.0, (double)total / pairs, 0.05);
    }
    int stride = (long long)blocks * points * points <= 65536 ? 1 : sets;
    for (int block = 0; block < blocks; block += stride) {
        int counts[BINS], unsure[BINS];
        int second = block <= sets ? block : block - sets, first = block <= sets ? block : 0;
        host_histogram(x, y, z, first * points, second * points, points, bounds, counts, unsure);
        for (int i = 0; i < BINS; i++) {
            int difference = abs(counts[i] - (int)result[block * BINS + i]);
            expect_int("bin", block * BINS + i, counts[i],
                       difference <= unsure[i] ? counts[i] : (int)result[block * BINS + i]);
        }
    }
    CHECK(cudaFree(device_x));
    CHECK(cudaFree(device_y));
    CHECK(cudaFree(device_z));
    CHECK(cudaFree(device_result));
    return verdict("two_point_correlation");
}
