// fd3d: a finite-difference stencil of order 8 in space on a volume, one step.
//
// Measured in chapter 4 of the dissertation (3DFD, "Finite diff. comp. 3D", in Table 4.2). Modelled on the CUDA SDK's
// sample "3DFD" (P. Micikevicius): blocks of 16 x 16 walk along the slowest dimension.
//
// Characteristic: a warp is two rows of 16. The halos of the plane in shared memory are loaded by
// `threadIdx.y < 4` (whole warps: two of eight) and `threadIdx.x < 4` (lanes 0-3 and 16-19 of every warp), by thread
// numbers alone. Two barriers a plane; bound by memory.
//
// usage: fd3d [x] [y] [z]

#include "workload.h"

#define BLOCK 16
#define RADIUS 4

__constant__ float coefficient[RADIUS + 1];

__global__ void stencil_order8(float *output, const float *input, int dimx, int dimy, int dimz)
{
    __shared__ float plane[BLOCK + 2 * RADIUS][BLOCK + 2 * RADIUS];
    int ix = blockIdx.x * blockDim.x + threadIdx.x + RADIUS, iy = blockIdx.y * blockDim.y + threadIdx.y + RADIUS;
    int in_idx = iy * dimx + ix, out_idx = 0, stride = dimx * dimy;
    float infront1, infront2, infront3, infront4, behind1, behind2, behind3, behind4, current;
    int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;

    behind3 = input[in_idx];
    in_idx += stride;
    behind2 = input[in_idx];
    in_idx += stride;
    behind1 = input[in_idx];
    in_idx += stride;
    current = input[in_idx];
    out_idx = in_idx;
    in_idx += stride;
    infront1 = input[in_idx];
    in_idx += stride;
    infront2 = input[in_idx];
    in_idx += stride;
    infront3 = input[in_idx];
    in_idx += stride;
    infront4 = input[in_idx];
    in_idx += stride;

    for (int i = RADIUS; i < dimz - RADIUS; i++) {
        behind4 = behind3;
        behind3 = behind2;
        behind2 = behind1;
        behind1 = current;
        current = infront1;
        infront1 = infront2;
        infront2 = infront3;
        infront3 = infront4;
        infront4 = input[in_idx];
        in_idx += stride;
        out_idx += stride;
        __syncthreads();

        if (threadIdx.y < RADIUS) {
            plane[threadIdx.y][tx] = input[out_idx - RADIUS * dimx];
            plane[threadIdx.y + BLOCK + RADIUS][tx] = input[out_idx + BLOCK * dimx];
        }
        if (threadIdx.x < RADIUS) {
            plane[ty][threadIdx.x] = input[out_idx - RADIUS];
            plane[ty][threadIdx.x + BLOCK + RADIUS] = input[out_idx + BLOCK];
        }
        plane[ty][tx] = current;
        __syncthreads();

        float value = coefficient[0] * current;
        value += coefficient[1] * (infront1 + behind1 + plane[ty - 1][tx] + plane[ty + 1][tx] + plane[ty][tx - 1] +
                                   plane[ty][tx + 1]);
        value += coefficient[2] * (infront2 + behind2 + plane[ty - 2][tx] + plane[ty + 2][tx] + plane[ty][tx - 2] +
                                   plane[ty][tx + 2]);
        value += coefficient[3] * (infront3 + behind3 + plane[ty - 3][tx] + plane[ty + 3][tx] + plane[ty][tx - 3] +
                                   plane[ty][tx + 3]);
        value += coefficient[4] * (infront4 + behind4 + plane[ty - 4][tx] + plane[ty + 4][tx] + plane[ty][tx - 4] +
                                   plane[ty][tx + 4]);
        output[out_idx] = value;
    }
}

int main(int argc, char **argv)
{
    int inner_x = argument(argc, argv, 1, 32), inner_y = argument(argc, argv, 2, 32);
    int inner_z = argument(argc, argv, 3, 4);
    if (inner_x % BLOCK || inner_y % BLOCK) {
        printf("x and y must be multiples of %d\n", BLOCK);
        return 2;
    }
    int dimx = inner_x + 2 * RADIUS, dimy = inner_y + 2 * RADIUS, dimz = inner_z + 2 * RADIUS;
    int stride = dimx * dimy, count = stride * dimz;
    float *volume = (float *)malloc(count * sizeof(float)), weights[RADIUS + 1];
    for (int i = 0; i < count; i++)
        volume[i] = random_unit();
    for (int i = 0; i <= RADIUS; i++)
        weights[i] = 0.2f / (1 + 2 * i);
    CHECK(cudaMemcpyToSymbol(coefficient, weights, sizeof(weights)));

    float *input = to_device(volume, count), *output = device_zeros<float>(count);
    stencil_order8<<<dim3(inner_x / BLOCK, inner_y / BLOCK), dim3(BLOCK, BLOCK)>>>(output, input, dimx, dimy, dimz);
    CHECK(cudaDeviceSynchronize());
    float *found = to_host(output, count);
    int inner = inner_x * inner_y * inner_z, sample = 1 + inner / 8192;
    for (int i = 0; i < inner; i += sample) {
        int x = i % inner_x + RADIUS, y = i / inner_x % inner_y + RADIUS, z = i / inner_x / inner_y + RADIUS;
        int at = (z * dimy + y) * dimx + x;
        double value = weights[0] * volume[at];
        for (int k = 1; k <= RADIUS; k++)
            value += (double)weights[k] * (volume[at - k] + volume[at + k] + volume[at - k * dimx] +
                                           volume[at + k * dimx] + volume[at - k * stride] + volume[at + k * stride]);
        expect_float("cell", i, value, found[at], 1e-4);
    }
    return verdict("fd3d");
}
