// mcml: light in layered tissue: photons travel, lose weight, are scattered, and are reflected or pass at boundaries.
// Measured in chapter 3 of the dissertation (Table 3.2, "MCML"). Modelled on the Monte Carlo programs for multi-layered
// media on GPUs (MCML, GPU-MCML).
//
// A thread has one photon at a time and a new one as soon as that has ended. A launch takes a number of steps; the
// dissertation measures the first five launches. In each step a photon is scattered inside a layer, or it reaches a
// boundary, where it is reflected or transmitted: branches with two long paths on random numbers, with logarithms,
// roots and divisions. Weights are added to a grid of absorption with atomic operations. Photons that have become weak
// survive or end by chance.
//
// usage: mcml [photons [blocks [steps in one launch [most launches]]]]

#include "workload.h"

#define THREADS 128
#define LAYERS 4
#define RADII 64
#define DEPTHS 64
#define CELL 0.005f
// Weights are whole numbers, so that sums do not depend on their order.
#define WHOLE 12000000u
#define WEAK 1200u

struct Layer {
    float top, bottom;      // cm
    float absorption, scattering;   // per cm
    float forward;          // mean cosine of scattering
    float index;            // of refraction
};

struct Photon {
    float x, y, z, dx, dy, dz, left;
    unsigned weight;
    int layer;
};

// Sums of weights: reflected before they entered, passed above, passed below, lost by chance; and photons launched.
struct Tally {
    unsigned long long specular, above, below, chance;
    unsigned launched;
};

// Layers 1 to LAYERS; those outside are air.
__constant__ Layer layers[LAYERS + 2];

// Multiply with carry: the low word is the number.
__device__ __forceinline__ float draw(unsigned long long *state)
{
    *state = (*state & 0xffffffffull) * 4294883355ull + (*state >> 32);
    return ((unsigned)*state >> 8) * (1.0f / 16777216.0f);
}

// One in `draw`, but never 0.
__device__ __forceinline__ float draw_positive(unsigned long long *state)
{
    return 1.0f - draw(state);
}

__device__ __forceinline__ void launch(Photon *photon, Tally *tally)
{
    float r = (layers[0].index - layers[1].index) / (layers[0].index + layers[1].index);
    unsigned reflected = (unsigned)(WHOLE * (r * r));
    photon->x = photon->y = photon->z = 0;
    photon->dx = photon->dy = 0;
    photon->dz = 1;
    photon->left = 0;
    photon->layer = 1;
    photon->weight = WHOLE - reflected;
    atomicAdd(&tally->specular, (unsigned long long)reflected);
}

// Turns the direction by an angle that the layer's mean cosine says (Henyey and Greenstein).
__device__ __forceinline__ void scatter(Photon *photon, float forward, unsigned long long *state)
{
    float cosine = 2.0f * draw(state) - 1.0f;
    if (forward != 0.0f) {
        float ratio = (1.0f - forward * forward) / (1.0f + forward * cosine);
        cosine = (1.0f + forward * forward - ratio * ratio) / (2.0f * forward);
        cosine = fminf(1.0f, fmaxf(-1.0f, cosine));
    }
    float sine = sqrtf(1.0f - cosine * cosine), sin_turn, cos_turn;
    sincosf(2.0f * 3.14159265f * draw(state), &sin_turn, &cos_turn);
    float dx = photon->dx, dy = photon->dy, dz = photon->dz;
    if (fabsf(dz) > 0.99999f) {
        photon->dx = sine * cos_turn;
        photon->dy = sine * sin_turn;
        photon->dz = dz > 0 ? cosine : -cosine;
    } else {
        float across = sqrtf(1.0f - dz * dz);
        photon->dx = sine * (dx * dz * cos_turn - dy * sin_turn) / across + dx * cosine;
        photon->dy = sine * (dy * dz * cos_turn + dx * sin_turn) / across + dy * cosine;
        photon->dz = -sine * cos_turn * across + dz * cosine;
    }
    float length = rsqrtf(photon->dx * photon->dx + photon->dy * photon->dy + photon->dz * photon->dz);
    photon->dx *= length;
    photon->dy *= length;
    photon->dz *= length;
}

// At the boundary to the layer `next`: reflection by Fresnel's formula, or refraction. Returns whether it passes.
__device__ __forceinline__ bool cross(Photon *photon, int next, unsigned long long *state)
{
    float n1 = layers[photon->layer].index, n2 = layers[next].index, cos1 = fabsf(photon->dz);
    bool passes = false;
    if (n1 == n2) {
        passes = true;
    } else {
        float sin2 = n1 / n2 * sqrtf(1.0f - cos1 * cos1);
        if (sin2 >= 1.0f) {
            photon->dz = -photon->dz;
        } else {
            float cos2 = sqrtf(1.0f - sin2 * sin2);
            float s = (n1 * cos1 - n2 * cos2) / (n1 * cos1 + n2 * cos2);
            float p = (n1 * cos2 - n2 * cos1) / (n1 * cos2 + n2 * cos1);
            if (draw(state) < 0.5f * (s * s + p * p)) {
                photon->dz = -photon->dz;
            } else {
                photon->dx *= n1 / n2;
                photon->dy *= n1 / n2;
                photon->dz = photon->dz > 0 ? cos2 : -cos2;
                passes = true;
            }
        }
    }
    if (passes)
        photon->layer = next;
    return passes;
}

__global__ void travel(Photon *photons, unsigned long long *states, bool *active, unsigned long long *absorption,
                       Tally *tally, int steps, unsigned wanted)
{
    int thread = blockIdx.x * THREADS + threadIdx.x;
    Photon photon = photons[thread];
    unsigned long long state = states[thread];
    bool going = active[thread];
    for (int step = 0; step < steps && going; step++) {
        Layer layer = layers[photon.layer];
        float total = layer.absorption + layer.scattering;
        if (photon.left == 0.0f)
            photon.left = -logf(draw_positive(&state));
        float length = photon.left / total;
        // The boundary that is in the way, if the step is long enough.
        int next = photon.layer;
        if (photon.dz < 0.0f && photon.z + length * photon.dz < layer.top) {
            length = (layer.top - photon.z) / photon.dz;
            next--;
        } else if (photon.dz > 0.0f && photon.z + length * photon.dz > layer.bottom) {
            length = (layer.bottom - photon.z) / photon.dz;
            next++;
        }
        photon.x += length * photon.dx;
        photon.y += length * photon.dy;
        photon.z += length * photon.dz;
        if (next != photon.layer) {
            photon.z = next < photon.layer ? layer.top : layer.bottom;
            photon.left = fmaxf(0.0f, photon.left - length * total);
            if (cross(&photon, next, &state)) {
                if (photon.layer == 0) {
                    atomicAdd(&tally->above, (unsigned long long)photon.weight);
                    photon.weight = 0;
                } else if (photon.layer == LAYERS + 1) {
                    atomicAdd(&tally->below, (unsigned long long)photon.weight);
                    photon.weight = 0;
                }
            }
        } else {
            photon.left = 0;
            unsigned lost = (unsigned)(photon.weight * (layer.absorption / total));
            int radius = min(RADII - 1, (int)(sqrtf(photon.x * photon.x + photon.y * photon.y) / CELL));
            int depth = min(DEPTHS - 1, (int)(photon.z / CELL));
            photon.weight -= lost;
            atomicAdd(&absorption[radius * DEPTHS + depth], (unsigned long long)lost);
            scatter(&photon, layer.forward, &state);
        }
        // The weak ones: one in ten goes on, with ten times the weight. What that adds and takes is counted.
        if (photon.weight < WEAK && photon.weight > 0) {
            if (draw(&state) < 0.1f) {
                atomicAdd(&tally->chance, 0ull - 9ull * photon.weight);
                photon.weight *= 10;
            } else {
                atomicAdd(&tally->chance, (unsigned long long)photon.weight);
                photon.weight = 0;
            }
        }
        if (photon.weight == 0) {
            if (atomicAdd(&tally->launched, 1u) < wanted)
                launch(&photon, tally);
            else
                going = false;
        }
    }
    photons[thread] = photon;
    states[thread] = state;
    active[thread] = going;
}

// Each thread takes its first photon, as long as there are any.
__global__ void first_photons(Photon *photons, unsigned long long *states, bool *active, Tally *tally, unsigned wanted)
{
    unsigned thread = blockIdx.x * THREADS + threadIdx.x;
    Photon photon = {0, 0, 0, 0, 0, 1, 0, 0, 1};
    states[thread] = ((unsigned long long)(thread + 1) * 0x9e3779b97f4a7c15ull) >> 8;
    bool going = thread < wanted;
    if (going) {
        atomicAdd(&tally->launched, 1u);
        launch(&photon, tally);
    }
    photons[thread] = photon;
    active[thread] = going;
}

// A photon of the host's own: in double, with other random numbers. Sets what of its weight leaves at the top, and what
// is absorbed times the depth and times the radius, in cells of the grid.
static void host_photon(const Layer *layer, double *back, double *depth, double *radius)
{
    double r = (layer[0].index - layer[1].index) / (double)(layer[0].index + layer[1].index);
    double x = 0, y = 0, z = 0, dx = 0, dy = 0, dz = 1, weight = 1 - r * r, left = 0;
    int at = 1;
    *back = *depth = *radius = 0;
    while (weight > 0) {
        double total = (double)layer[at].absorption + layer[at].scattering;
        if (left <= 0)
            left = -log(1 - (double)random_unit());
        double goal = dz < 0 ? layer[at].top : layer[at].bottom, to_goal = dz == 0 ? 1e9 : (goal - z) / dz;
        double length = fmin(to_goal, left / total);
        x += length * dx;
        y += length * dy;
        z += length * dz;
        left -= length * total;
        if (length == to_goal) {
            int next = dz < 0 ? at - 1 : at + 1;
            double n1 = layer[at].index, n2 = layer[next].index, cos1 = fabs(dz);
            double sin2 = n1 / n2 * sqrt(1 - cos1 * cos1), reflected = 1, cos2 = 0;
            if (sin2 < 1) {
                cos2 = sqrt(1 - sin2 * sin2);
                double s = (n1 * cos1 - n2 * cos2) / (n1 * cos1 + n2 * cos2);
                double p = (n1 * cos2 - n2 * cos1) / (n1 * cos2 + n2 * cos1);
                reflected = (s * s + p * p) / 2;
            }
            z = goal;
            if (random_unit() < reflected) {
                dz = -dz;
                continue;
            }
            dz = dz > 0 ? cos2 : -cos2;
            dx *= n1 / n2;
            dy *= n1 / n2;
            at = next;
            if (at == 0)
                *back = weight;
            if (at == 0 || at == LAYERS + 1)
                return;
            continue;
        }
        left = 0;
        double lost = weight * layer[at].absorption / total;
        weight -= lost;
        *depth += lost * fmin(DEPTHS - 1, floor(z / CELL));
        *radius += lost * fmin(RADII - 1, floor(sqrt(x * x + y * y) / CELL));
        double g = layer[at].forward, ratio = (1 - g * g) / (1 - g + 2 * g * random_unit());
        double cosine = fmax(-1.0, fmin(1.0, (1 + g * g - ratio * ratio) / (2 * g)));
        double turn = 6.283185307179586 * random_unit(), sine = sqrt(1 - cosine * cosine);
        double across = sqrt(fmax(0.0, 1 - dz * dz)), ux = dx, uy = dy;
        if (across < 1e-5) {
            dx = sine * cos(turn);
            dy = sine * sin(turn);
            dz = dz > 0 ? cosine : -cosine;
        } else {
            dx = sine * (ux * dz * cos(turn) - uy * sin(turn)) / across + ux * cosine;
            dy = sine * (uy * dz * cos(turn) + ux * sin(turn)) / across + uy * cosine;
            dz = -sine * cos(turn) * across + dz * cosine;
        }
        if (weight < 0.0001)
            weight = random_unit() < 0.1f ? weight * 10 : 0;
    }
}

// Compares means over the device's photons with those over the host's: within five times the error of both samples.
static void compare_means(const Layer *layer, int photons, double back, double depth, double radius)
{
    const char *names[3] = {"share that comes back", "mean depth", "mean radius"};
    double found[3] = {back, depth, radius}, sum[3] = {0}, squares[3] = {0}, one[3];
    int compared = photons < 300 ? photons : 300;
    for (int i = 0; i < compared; i++) {
        host_photon(layer, one, one + 1, one + 2);
        for (int k = 0; k < 3; k++) {
            sum[k] += one[k];
            squares[k] += one[k] * one[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        double mean = sum[k] / compared, variance = squares[k] / compared - mean * mean;
        double error = 5 * sqrt(variance / compared + variance / photons);
        expect_int(names[k], (int)(mean * 1000), 1, fabs(mean - found[k]) <= error);
    }
}

int main(int argc, char **argv)
{
    int wanted = argument(argc, argv, 1, 1000), blocks = argument(argc, argv, 2, 4);
    int steps = argument(argc, argv, 3, 100), most = argument(argc, argv, 4, 1000000);
    int threads = blocks * THREADS, launches = 0;
    // Air, skin's two layers, fat and muscle, air: lengths in cm, as tissue is described in the literature.
    Layer tissue[LAYERS + 2] = {{0, 0, 0, 0, 0, 1.0f},
                                {0, 0.01f, 4.3f, 107, 0.79f, 1.5f},
                                {0.01f, 0.2f, 2.7f, 187, 0.82f, 1.4f},
                                {0.2f, 0.4f, 3.3f, 192, 0.82f, 1.4f},
                                {0.4f, 1, 1.6f, 90, 0.9f, 1.38f},
                                {1, 1, 0, 0, 0, 1.0f}};
    CHECK(cudaMemcpyToSymbol(layers, tissue, sizeof(tissue)));
    Photon *photons;
    CHECK(cudaMalloc((void **)&photons, threads * sizeof(Photon)));
    unsigned long long *states = device_zeros<unsigned long long>(threads);
    unsigned long long *absorption = device_zeros<unsigned long long>(RADII * DEPTHS);
    bool *active = device_zeros<bool>(threads);
    Tally *tally_there = device_zeros<Tally>(1);

    first_photons<<<blocks, THREADS>>>(photons, states, active, tally_there, wanted);
    bool any = true;
    while (any && launches < most) {
        travel<<<blocks, THREADS>>>(photons, states, active, absorption, tally_there, steps, wanted);
        bool *going = to_host(active, threads);
        any = false;
        for (int i = 0; i < threads && !any; i++)
            any = going[i];
        free(going);
        launches++;
    }
    Tally *tally = to_host(tally_there, 1);
    unsigned long long *grid = to_host(absorption, RADII * DEPTHS), absorbed = 0;
    for (int i = 0; i < RADII * DEPTHS; i++)
        absorbed += grid[i];

    // No weight is lost: what went in has come out, lies in the grid or is still on its way.
    Photon *at_end = to_host(photons, threads);
    unsigned long long on_its_way = 0;
    for (int i = 0; i < threads; i++)
        on_its_way += at_end[i].weight;
    int launched = tally->launched < (unsigned)wanted ? tally->launched : wanted;
    unsigned long long sum = tally->specular + tally->above + tally->below + tally->chance + absorbed + on_its_way;
    expect_int("sum of weights", 0, (long long)launched * WHOLE, sum);
    double back = (double)tally->above / WHOLE / launched;
    // What comes back depends on how products and sums are rounded, by which photons go other ways.
    printf("%d photons, %d launches\n", launched, launches);
    if (!any) {
        double depth = 0, radius = 0;
        for (int i = 0; i < RADII * DEPTHS; i++) {
            depth += (double)grid[i] / WHOLE * (i % DEPTHS);
            radius += (double)grid[i] / WHOLE * (i / DEPTHS);
        }
        compare_means(tissue, launched, back, depth / launched, radius / launched);
    }
    CHECK(cudaFree(photons));
    CHECK(cudaFree(states));
    CHECK(cudaFree(absorption));
    CHECK(cudaFree(active));
    CHECK(cudaFree(tally_there));
    return verdict("mcml");
}
