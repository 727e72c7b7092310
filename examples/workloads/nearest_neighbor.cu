// nearest_neighbor: the records nearest to a place, by latitude and longitude.
//
// BCC (Table 1) measures a k-nearest-neighbours program; DAC's kind too, but our text of that paper stops before its
// list. Modelled on Rodinia's NN.
//
// Characteristic: blocks of 256 threads in a grid of two dimensions, one record for each thread; the two floats of a
// record are loaded one by one, 8 bytes apart in a warp; a square root; one contiguous store; the host then looks
// for the smallest distances. A short, memory-bound kernel with affine addresses. The public program reads 42764
// records.
//
// usage: nearest_neighbor [records [neighbours]]

#include "workload.h"

#define THREADS 256
#define GRID_WIDTH 64

struct place {
    float latitude, longitude;
};

__global__ void distances(const place *places, float *result, int count, float latitude, float longitude)
{
    int at = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    const place *p = places + at;
    if (at < count)
        result[at] = sqrtf((latitude - p->latitude) * (latitude - p->latitude)
                           + (longitude - p->longitude) * (longitude - p->longitude));
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 427640);
    int neighbours = argument(argc, argv, 2, 5);
    const float latitude = 30.0f, longitude = 90.0f;
    place *places = (place *)malloc(count * sizeof(place));
    for (int i = 0; i < count; i++) {
        places[i].latitude = 7.0f + 63.0f * random_unit();
        places[i].longitude = 358.0f * random_unit();
    }
    place *device_places = to_device(places, count);
    float *device_result = device_zeros<float>(count);
    int blocks = (count + THREADS - 1) / THREADS;
    dim3 grid(blocks < GRID_WIDTH ? blocks : GRID_WIDTH, (blocks + GRID_WIDTH - 1) / GRID_WIDTH);
    distances<<<grid, THREADS>>>(device_places, device_result, count, latitude, longitude);
    CHECK(cudaGetLastError());

    float *result = to_host(device_result, count);
    int stride = count <= 4096 ? 1 : 101;
    for (int i = 0; i < count; i += stride) {
        double dx = (double)latitude - places[i].latitude, dy = (double)longitude - places[i].longitude;
        expect_float("distance", i, sqrt(dx * dx + dy * dy), result[i], 1e-6);
    }
    // The nearest ones, one after the other; none may be farther than one that comes later.
    double last = 0;
    for (int k = 0; k < neighbours && k < count; k++) {
        int best = 0;
        for (int i = 1; i < count; i++)
            if (result[i] < result[best])
                best = i;
        double dx = (double)latitude - places[best].latitude, dy = (double)longitude - places[best].longitude;
        double found = sqrt(dx * dx + dy * dy);
        expect_int("order of neighbours", k, 1, found >= last - 1e-4);
        last = found;
        result[best] = 1e30f;
    }
    CHECK(cudaFree(device_places));
    CHECK(cudaFree(device_result));
    free(places);
    free(result);
    return verdict("nearest_neighbor");
}
