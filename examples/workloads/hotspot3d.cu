// hotspot3d: the temperature of a stack of chips, by steps of a heat equation in three dimensions.
//
// A program of the kinds that DAC measures; our text of that paper stops before its list. Modelled on Rodinia's
// HotSpot3D.
//
// Characteristic: blocks of 64 x 4 threads, one column of the stack for each thread; the loop over the layers keeps
// the temperatures above and below in registers and reads the four neighbours in the plane; at the border the
// neighbour is the element itself (conditional expressions of affine comparisons, no branch); addresses grow by a
// layer in each step; memory-bound, no divergence.
//
// usage: hotspot3d [columns [rows [layers [steps]]]]; columns a multiple of 64, rows of 4, at least 2 layers

#include "workload.h"

#define AMBIENT 80.0f

struct coefficients {
    float east, west, north, south, top, bottom, center, power;
};

__global__ void step_stack(const float *power, const float *in, float *out, int nx, int ny, int nz, coefficients k)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int j = blockDim.y * blockIdx.y + threadIdx.y;
    int c = i + j * nx;
    int layer = nx * ny;
    int west = i == 0 ? c : c - 1;
    int east = i == nx - 1 ? c : c + 1;
    int north = j == 0 ? c : c - nx;
    int south = j == ny - 1 ? c : c + nx;

    float below = in[c], here = below, above = in[c + layer];
    out[c] = k.center * here + k.west * in[west] + k.east * in[east] + k.south * in[south] + k.north * in[north]
           + k.bottom * below + k.top * above + k.power * power[c] + k.top * AMBIENT;
    c += layer;
    west += layer;
    east += layer;
    north += layer;
    south += layer;
    for (int z = 1; z < nz - 1; z++) {
        below = here;
        here = above;
        above = in[c + layer];
        out[c] = k.center * here + k.west * in[west] + k.east * in[east] + k.south * in[south] + k.north * in[north]
               + k.bottom * below + k.top * above + k.power * power[c] + k.top * AMBIENT;
        c += layer;
        west += layer;
        east += layer;
        north += layer;
        south += layer;
    }
    below = here;
    here = above;
    out[c] = k.center * here + k.west * in[west] + k.east * in[east] + k.south * in[south] + k.north * in[north]
           + k.bottom * below + k.top * above + k.power * power[c] + k.top * AMBIENT;
}

// The temperature of one element after a step, in double precision.
static double next_temperature(const float *power, const float *in, int nx, int ny, int nz, int x, int y, int z,
                               const coefficients *k)
{
    static const int way[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    double weight[6] = {k->west, k->east, k->north, k->south, k->bottom, k->top};
    int at = (z * ny + y) * nx + x;
    double sum = (double)k->center * in[at] + (double)k->power * power[at] + (double)k->top * AMBIENT;
    for (int d = 0; d < 6; d++) {
        int u = x + way[d][0], v = y + way[d][1], w = z + way[d][2];
        bool inside = u >= 0 && u < nx && v >= 0 && v < ny && w >= 0 && w < nz;
        sum += weight[d] * in[inside ? (w * ny + v) * nx + u : at];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 384);
    int ny = argument(argc, argv, 2, 192);
    int nz = argument(argc, argv, 3, 8);
    int steps = argument(argc, argv, 4, 2);
    if (nx % 64 || ny % 4 || nz < 2) {
        printf("columns must be a multiple of 64, rows of 4, layers at least 2\n");
        return 2;
    }
    int count = nx * ny * nz;
    float *power = (float *)malloc(count * sizeof(float)), *start = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++) {
        power[i] = (i & 63) == 5 ? 0.02f : 0.001f;
        start[i] = 320.0f + ((i * 7 + i / (nx * ny) * 5) & 15);
    }
    // A chip of 16 x 16 mm, layers of 0.5 mm: resistances, capacity and the step as the public program computes them.
    float dx = 0.016f / nx, dy = 0.016f / ny, dz = 0.0005f / nz;
    float capacity = 0.5f * 1.75e6f * 0.0005f * dx * dy;
    float rx = dy / (2.0f * 100.0f * 0.0005f * dx), ry = dx / (2.0f * 100.0f * 0.0005f * dy);
    float rz = dz / (100.0f * dx * dy);
    float max_slope = 3.0e6f / (0.5f * 0.0005f * 1.75e6f);
    float step = 0.001f / max_slope / capacity;
    coefficients k;
    k.east = k.west = step / rx;
    k.north = k.south = step / ry;
    k.top = k.bottom = step / rz;
    k.center = 1.0f - (2.0f * k.east + 2.0f * k.north + 3.0f * k.top);
    k.power = step;

    float *device_power = to_device(power, count), *in = to_device(start, count), *out = device_zeros<float>(count);
    for (int i = 0; i < steps; i++) {
        step_stack<<<dim3(nx / 64, ny / 4), dim3(64, 4)>>>(device_power, in, out, nx, ny, nz, k);
        CHECK(cudaGetLastError());
        float *held = in;
        in = out;
        out = held;
    }
    // The last step is checked from the one before it.
    float *result = to_host(in, count), *before = to_host(out, count);
    int stride = count <= 4096 ? 1 : count / 2003;
    for (int i = 0; i < count; i += stride) {
        double expected = next_temperature(power, before, nx, ny, nz, i % nx, i / nx % ny, i / (nx * ny), &k);
        expect_float("temperature", i, expected, result[i], 1e-6);
    }
    // And the first one, if it is another, by its start having changed by no more than heat can flow.
    for (int i = 0; i < count; i += stride)
        expect_float("change", i, start[i], result[i], 0.2);
    CHECK(cudaFree(device_power));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict("hotspot3d");
}
