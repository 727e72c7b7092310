// suite: rodinia
// includes: cuda/nn
// unchanged
#include "driver.h"
#define main their_main
#include "nn_cuda.cu"
#undef main

// Distances of places from one, in a grid of two dimensions, against the host.
int main()
{
    const int n = 1000, block = 96, rows = 3;
    static LatLong places[n];
    static float distances[n];
    srand(24);
    for (int i = 0; i < n; i++) {
        places[i].lat = rand() % 1800 / 10.0f - 90;
        places[i].lng = rand() % 3600 / 10.0f - 180;
    }
    LatLong *places_d;
    float *distances_d;
    cudaMalloc(&places_d, sizeof places);
    cudaMalloc(&distances_d, sizeof distances);
    cudaMemcpy(places_d, places, sizeof places, cudaMemcpyHostToDevice);
    euclid<<<dim3((n + block * rows - 1) / (block * rows), rows), block>>>(places_d, distances_d, n, 30.0f, 90.0f);
    cudaMemcpy(distances, distances_d, sizeof distances, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        double x = 30.0 - places[i].lat, y = 90.0 - places[i].lng, gold = sqrt(x * x + y * y);
        wrong += !(fabs(distances[i] - gold) < 1e-4 * (1 + gold));
    }
    return verdict(wrong, "distances");
}

// out: PASS
