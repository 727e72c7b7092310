// lavamd: the potential and forces of particles in boxes, as Rodinia's LavaMD: a block has a box, its threads have the
// box's particles; for the box itself and each of its up to 26 neighbours the particles are brought to shared memory
// and every thread goes through all of them. There is no cutoff within boxes.
//
// Measured by: dissertation chapter 5 (Table 5.4, LAVAMD: 22 G instructions, 3.89 sectors of a line used).
// Also in the suite of the paper on intra-warp compaction (Table 1: LavaMD).
// Characteristic: 128 threads for 100 particles, so that the last warp has four of 32; records of four doubles, read
// once a box; long loops over shared memory with an exponential each: bound by double-precision arithmetic.
//
// usage: lavamd [boxes along an edge]; -DPARTICLES=n particles a box

#include "workload.h"

#ifndef PARTICLES
#define PARTICLES 100
#endif

const int BLOCK = 128;

struct vector4 {
    double v, x, y, z;
};

struct neighbour {
    int number;
    long offset;
};

struct box {
    int x, y, z, number;
    long offset;
    int neighbours;
    neighbour list[26];
};

__global__ void forces(double alpha, const box *boxes, int box_count, const vector4 *positions, const double *charges,
                       vector4 *out)
{
    __shared__ vector4 own[PARTICLES], other[PARTICLES];
    __shared__ double charge[PARTICLES];
    int bx = blockIdx.x, thread = threadIdx.x;
    if (bx >= box_count)
        return;
    double a2 = 2 * alpha * alpha;
    int first = boxes[bx].offset, neighbours = boxes[bx].neighbours;
    for (int i = thread; i < PARTICLES; i += BLOCK)
        own[i] = positions[first + i];
    __syncthreads();
    for (int k = 0; k < 1 + neighbours; k++) {
        int from = k == 0 ? bx : boxes[bx].list[k - 1].number, there = boxes[from].offset;
        for (int i = thread; i < PARTICLES; i += BLOCK) {
            other[i] = positions[there + i];
            charge[i] = charges[there + i];
        }
        __syncthreads();
        for (int i = thread; i < PARTICLES; i += BLOCK) {
            for (int j = 0; j < PARTICLES; j++) {
                double r2 =
                    own[i].v + other[j].v - (own[i].x * other[j].x + own[i].y * other[j].y + own[i].z * other[j].z);
                double u2 = a2 * r2;
                double vij = exp(-u2);
                double fs = 2 * vij;
                double dx = own[i].x - other[j].x, dy = own[i].y - other[j].y, dz = own[i].z - other[j].z;
                out[first + i].v += charge[j] * vij;
                out[first + i].x += charge[j] * (fs * dx);
                out[first + i].y += charge[j] * (fs * dy);
                out[first + i].z += charge[j] * (fs * dz);
            }
        }
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    int side = argument(argc, argv, 1, 2), boxes = side * side * side, count = boxes * PARTICLES;
    const double alpha = 0.5;
    box *b = (box *)calloc(boxes, sizeof(box));
    for (int i = 0; i < boxes; i++) {
        b[i].x = i % side;
        b[i].y = i / side % side;
        b[i].z = i / side / side;
        b[i].number = i;
        b[i].offset = i * PARTICLES;
        for (int n = 0; n < 27; n++) {
            int x = b[i].x + n % 3 - 1, y = b[i].y + n / 3 % 3 - 1, z = b[i].z + n / 9 - 1;
            if (n == 13 || x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
                continue;
            neighbour *next = &b[i].list[b[i].neighbours++];
            next->number = (z * side + y) * side + x;
            next->offset = next->number * PARTICLES;
        }
    }
    vector4 *positions = (vector4 *)malloc(count * sizeof(vector4));
    double *charges = (double *)malloc(count * sizeof(double));
    for (int i = 0; i < count; i++) {
        vector4 p = {random_unit(), random_unit(), random_unit(), random_unit()};
        positions[i] = p;
        charges[i] = random_unit();
    }
    box *d_boxes = to_device(b, boxes);
    vector4 *d_positions = to_device(positions, count), *d_out = device_zeros<vector4>(count);
    double *d_charges = to_device(charges, count);
    forces<<<boxes, BLOCK>>>(alpha, d_boxes, boxes, d_positions, d_charges, d_out);
    printf("lavamd: %d boxes of %d particles\n", boxes, PARTICLES);

    vector4 *found = to_host(d_out, count);
    int step = count / 60 + 1;
    for (int i = 0; i < count; i += step) {
        box *mine = &b[i / PARTICLES];
        double v = 0, x = 0, y = 0, z = 0;
        for (int j = 0; j < count; j++) {
            box *theirs = &b[j / PARTICLES];
            if (abs(mine->x - theirs->x) > 1 || abs(mine->y - theirs->y) > 1 || abs(mine->z - theirs->z) > 1) {
                j += PARTICLES - 1;
                continue;
            }
            vector4 p = positions[i], q = positions[j];
            double share = charges[j] * exp(-2 * alpha * alpha * (p.v + q.v - p.x * q.x - p.y * q.y - p.z * q.z));
            v += share;
            x += 2 * share * (p.x - q.x);
            y += 2 * share * (p.y - q.y);
            z += 2 * share * (p.z - q.z);
        }
        expect_float("potential of particle", i, v, found[i].v, 1e-9);
        expect_float("force x on particle", i, x, found[i].x, 1e-9);
        expect_float("force y on particle", i, y, found[i].y, 1e-9);
        expect_float("force z on particle", i, z, found[i].z, 1e-9);
    }
    return verdict("lavamd");
}
