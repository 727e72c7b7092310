// coulombic_potential: the electric potential of point charges on a plane of grid points, by direct summation.
//
// Measured by decoupled affine computation's (DAC's) kind of study; our text of that paper stops before its list of
// programs. Modelled on Parboil's CP (ISPASS-2009's CP is the same kernel with 2 points for each thread: -DPOINTS=2).
//
// Characteristic: blocks of 16 x 8 threads; each thread computes POINTS points that lie 16 apart, so that the stores
// of half a warp are contiguous; the atoms come from constant memory, all threads reading the same one at a time;
// one loop of a uniform trip count, no divergence, arithmetic and a reciprocal square root for each point and atom.
// The plane is updated in place, once for each part of the atoms that fits into constant memory.
//
// usage: coulombic_potential [width [height [atoms]]]; width a multiple of 16 POINTS, height of 8

#include "workload.h"

#ifndef POINTS
#define POINTS 8
#endif
#define BLOCK_X 16
#define BLOCK_Y 8
// 16 bytes for each atom; constant memory holds 64 KiB.
#define CONSTANT_ATOMS 4000

// x, y, the square of the distance from the plane, and the charge.
__constant__ float4 atom_info[CONSTANT_ATOMS];

__global__ void potential(int atoms, float spacing, float *energy)
{
    int x = blockIdx.x * blockDim.x * POINTS + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int out = gridDim.x * blockDim.x * POINTS * y + x;
    float at_x = spacing * x;
    float at_y = spacing * y;
    float step = spacing * BLOCK_X;
    float sum[POINTS];
#pragma unroll
    for (int point = 0; point < POINTS; point++)
        sum[point] = 0.0f;

    for (int atom = 0; atom < atoms; atom++) {
        float dy = at_y - atom_info[atom].y;
        float dyz2 = dy * dy + atom_info[atom].z;
        float dx = at_x - atom_info[atom].x;
        float charge = atom_info[atom].w;
#pragma unroll
        for (int point = 0; point < POINTS; point++) {
            float dxp = dx + point * step;
            sum[point] += charge * rsqrtf(dxp * dxp + dyz2);
        }
    }
#pragma unroll
    for (int point = 0; point < POINTS; point++)
        energy[out + point * BLOCK_X] += sum[point];
}

// The potential at one point, in double precision and from the atoms themselves.
static double potential_at(double x, double y, const float *atoms, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        double dx = x - atoms[4 * i], dy = y - atoms[4 * i + 1], dz = atoms[4 * i + 2];
        sum += atoms[4 * i + 3] / sqrt(dx * dx + dy * dy + dz * dz);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 1024);
    int height = argument(argc, argv, 2, 384);
    int atoms = argument(argc, argv, 3, 64);
    if (width % (BLOCK_X * POINTS) || height % BLOCK_Y) {
        printf("width must be a multiple of %d, height of %d\n", BLOCK_X * POINTS, BLOCK_Y);
        return 2;
    }
    const float spacing = 0.1f;
    float *host_atoms = (float *)malloc(atoms * 4 * sizeof(float));
    for (int i = 0; i < atoms; i++) {
        host_atoms[4 * i] = random_unit() * width * spacing;
        host_atoms[4 * i + 1] = random_unit() * height * spacing;
        // Never in the plane, so that no point is at an atom.
        host_atoms[4 * i + 2] = 0.5f + random_unit() * 10.0f;
        host_atoms[4 * i + 3] = random_unit() * 4.0f - 2.0f;
    }
    float *energy = device_zeros<float>(width * height);
    float *packed = (float *)malloc(CONSTANT_ATOMS * 4 * sizeof(float));
    dim3 block(BLOCK_X, BLOCK_Y), grid(width / (BLOCK_X * POINTS), height / BLOCK_Y);
    for (int start = 0; start < atoms; start += CONSTANT_ATOMS) {
        int part = atoms - start < CONSTANT_ATOMS ? atoms - start : CONSTANT_ATOMS;
        for (int i = 0; i < part; i++) {
            const float *atom = host_atoms + 4 * (start + i);
            packed[4 * i] = atom[0];
            packed[4 * i + 1] = atom[1];
            packed[4 * i + 2] = atom[2] * atom[2];
            packed[4 * i + 3] = atom[3];
        }
        CHECK(cudaMemcpyToSymbol(atom_info, packed, part * 4 * sizeof(float)));
        potential<<<grid, block>>>(part, spacing, energy);
        CHECK(cudaGetLastError());
    }

    // Everything where that is cheap, about a thousand points otherwise.
    float *result = to_host(energy, width * height);
    int stride = width * height <= 1024 ? 1 : width * height / 997;
    for (int i = 0; i < width * height; i += stride) {
        double at_x = (i % width) * (double)spacing, at_y = (i / width) * (double)spacing;
        double expected = potential_at(at_x, at_y, host_atoms, atoms);
        expect_float("potential", i, expected, result[i], 1e-4);
    }
    CHECK(cudaFree(energy));
    free(host_atoms);
    free(packed);
    free(result);
    return verdict("coulombic_potential");
}
