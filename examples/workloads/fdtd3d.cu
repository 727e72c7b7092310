// fdtd3d: finite differences in time on a volume: a stencil of radius 4 in three dimensions, applied a few times.
//
// Measured in chapter 4 of the dissertation (FDTD3D in Table 4.2) and in AVC. Modelled on the CUDA SDK's sample
// "FDTD3d": blocks of 32 x 16 walk along z with a tile of a plane in shared memory and the planes in front and behind
// in registers.
//
// Characteristic: two branches load the tile's halos: `threadIdx.y < radius` (whole warps) and `threadIdx.x < radius`
// (4 of 32 lanes, the same ones in every warp), by thread numbers alone; nothing there can be compacted. Two barriers a
// plane. The rest is coherent and bound by memory.
//
// usage: fdtd3d [x] [y] [z] [steps]

#include "workload.h"

#define RADIUS 4
#define BLOCK_X 32
#define BLOCK_Y 16

__constant__ float coefficient[RADIUS + 1];

__global__ void finite_differences(float *output, const float *input, int dimx, int dimy, int dimz)
{
    __shared__ float tile[BLOCK_Y + 2 * RADIUS][BLOCK_X + 2 * RADIUS];
    const int gtidx = blockIdx.x * blockDim.x + threadIdx.x, gtidy = blockIdx.y * blockDim.y + threadIdx.y;
    const int ltidx = threadIdx.x, ltidy = threadIdx.y;
    const int stride_y = dimx + 2 * RADIUS, stride_z = stride_y * (dimy + 2 * RADIUS);
    const int tx = ltidx + RADIUS, ty = ltidy + RADIUS;
    bool valid_read = true, valid_write = true;
    // Blocks at the far sides may reach over the volume's end, of which the halo is still to be read.
    if (gtidx >= dimx + RADIUS || gtidy >= dimy + RADIUS)
        valid_read = false;
    if (gtidx >= dimx || gtidy >= dimy)
        valid_write = false;

    float in_front[RADIUS], behind[RADIUS], current = 0;
    int input_index = (gtidy + RADIUS) * stride_y + gtidx + RADIUS, output_index = 0;
    // The planes behind and in front of the first one.
    for (int i = RADIUS - 2; i >= 0; i--) {
        behind[i] = valid_read ? input[input_index] : 0;
        input_index += stride_z;
    }
    if (valid_read)
        current = input[input_index];
    output_index = input_index;
    input_index += stride_z;
    for (int i = 0; i < RADIUS; i++) {
        in_front[i] = valid_read ? input[input_index] : 0;
        input_index += stride_z;
    }
    behind[RADIUS - 1] = 0;

    for (int z = 0; z < dimz; z++) {
        for (int i = RADIUS - 1; i > 0; i--)
            behind[i] = behind[i - 1];
        behind[0] = current;
        current = in_front[0];
#pragma unroll
        for (int i = 0; i < RADIUS - 1; i++)
            in_front[i] = in_front[i + 1];
        if (valid_read)
            in_front[RADIUS - 1] = input[input_index];
        input_index += stride_z;
        output_index += stride_z;
        __syncthreads();

        if (ltidy < RADIUS) {
            tile[ltidy][tx] = input[output_index - RADIUS * stride_y];
            if (gtidy + BLOCK_Y < dimy + RADIUS)
                tile[ltidy + BLOCK_Y + RADIUS][tx] = input[output_index + BLOCK_Y * stride_y];
        }
        if (ltidx < RADIUS) {
            tile[ty][ltidx] = input[output_index - RADIUS];
            tile[ty][ltidx + BLOCK_X + RADIUS] = input[output_index + BLOCK_X];
        }
        tile[ty][tx] = current;
        __syncthreads();

        float value = coefficient[0] * current;
#pragma unroll
        for (int i = 1; i <= RADIUS; i++)
            value += coefficient[i] * (in_front[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] +
                                       tile[ty][tx - i] + tile[ty][tx + i]);
        if (valid_write)
            output[output_index] = value;
    }
}

int main(int argc, char **argv)
{
    int dimx = argument(argc, argv, 1, 32), dimy = argument(argc, argv, 2, 32), dimz = argument(argc, argv, 3, 8);
    int steps = argument(argc, argv, 4, 1);
    if (dimx % BLOCK_X || dimy % BLOCK_Y) {
        printf("x must be a multiple of %d, y of %d\n", BLOCK_X, BLOCK_Y);
        return 2;
    }
    int wide = dimx + 2 * RADIUS, high = dimy + 2 * RADIUS, deep = dimz + 2 * RADIUS, plane = wide * high;
    int count = plane * deep;
    // One plane more, which the last step reads ahead and does not use.
    float *volume = (float *)calloc(count + plane, sizeof(float)), weights[RADIUS + 1];
    for (int i = 0; i < count; i++)
        volume[i] = random_unit();
    for (int i = 0; i <= RADIUS; i++)
        weights[i] = 0.1f / (1 + i);
    CHECK(cudaMemcpyToSymbol(coefficient, weights, sizeof(weights)));

    float *input = to_device(volume, count + plane), *output = to_device(volume, count + plane);
    dim3 grid(dimx / BLOCK_X, dimy / BLOCK_Y), block(BLOCK_X, BLOCK_Y);
    for (int step = 0; step < steps; step++) {
        finite_differences<<<grid, block>>>(output, input, dimx, dimy, dimz);
        float *kept = input;
        input = output;
        output = kept;
    }
    CHECK(cudaDeviceSynchronize());
    // The last step is checked against what the step before left.
    float *after = to_host(input, count), *before = to_host(output, count);
    int inner = dimx * dimy * dimz, sample = 1 + inner / 8192;
    for (int i = 0; i < inner; i += sample) {
        int x = i % dimx, y = i / dimx % dimy, z = i / dimx / dimy;
        int at = ((z + RADIUS) * high + y + RADIUS) * wide + x + RADIUS;
        double value = weights[0] * before[at];
        for (int k = 1; k <= RADIUS; k++)
            value += (double)weights[k] * (before[at - k] + before[at + k] + before[at - k * wide] +
                                           before[at + k * wide] + before[at - k * plane] + before[at + k * plane]);
        expect_float("cell", i, value, after[at], 1e-4);
    }
    return verdict("fdtd3d");
}
