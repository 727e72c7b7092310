// nbody: one step of an all-pairs simulation of bodies that attract each other.
//
// DAC's kind of program; our text of that paper stops before its list. Modelled on the CUDA SDK's nbody.
//
// Characteristic: blocks of p x q threads; p bodies at a time as a tile in shared memory, which all threads of a
// column read in step (broadcasts); an inner loop of a uniform trip count with a reciprocal square root, unrolled;
// two barriers for each tile. With q > 1 the rows of threads take different tiles, and their sums are added in
// shared memory at the end. No divergence but in that addition; compute-bound. All pairs of enough bodies to fill a
// GTX 480 three times (69120) are out of reach of a simulation: `full` fills it once with 4096 bodies and q = 4.
//
// usage: nbody [bodies [q]]; q at least 1, at most 4; bodies a multiple of 64 q (1: of 256)

#include "workload.h"

#define THREADS 256
#define SOFTENING_SQUARED 0.00125f
#define TIME_STEP 0.016f

// The acceleration of a body at `at` by another body (its mass in w).
__device__ static float3 interact(float3 sum, float4 other, float4 at)
{
    float x = other.x - at.x;
    float y = other.y - at.y;
    float z = other.z - at.z;
    float distance_squared = x * x + y * y + z * z + SOFTENING_SQUARED;
    float inverse = rsqrtf(distance_squared);
    float scale = other.w * (inverse * inverse * inverse);
    sum.x += x * scale;
    sum.y += y * scale;
    sum.z += z * scale;
    return sum;
}

template <int ROWS>
__global__ void integrate(float4 *new_position, const float4 *position, float4 *velocity, int bodies)
{
    __shared__ float4 tile[THREADS];
    const int p = THREADS / ROWS;
    int column = threadIdx.x, row = threadIdx.y;
    int body = blockIdx.x * p + column;
    float4 at = position[body];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);

    // Block b begins with tile b, so that not all blocks read the same one.
    int tiles = bodies / (p * ROWS);
    for (int t = 0; t < tiles; t++) {
        int which = (blockIdx.x + t * ROWS + row) % (bodies / p);
        tile[row * p + column] = position[which * p + column];
        __syncthreads();
#pragma unroll 8
        for (int i = 0; i < p; i++)
            sum = interact(sum, tile[row * p + i], at);
        __syncthreads();
    }
    if (ROWS > 1) {
        tile[row * p + column] = make_float4(sum.x, sum.y, sum.z, 0.0f);
        __syncthreads();
        if (row == 0)
            for (int i = 1; i < ROWS; i++) {
                float4 part = tile[i * p + column];
                sum.x += part.x;
                sum.y += part.y;
                sum.z += part.z;
            }
    }
    if (row == 0) {
        float4 v = velocity[body];
        v.x += sum.x * TIME_STEP;
        v.y += sum.y * TIME_STEP;
        v.z += sum.z * TIME_STEP;
        at.x += v.x * TIME_STEP;
        at.y += v.y * TIME_STEP;
        at.z += v.z * TIME_STEP;
        new_position[body] = at;
        velocity[body] = v;
    }
}

int main(int argc, char **argv)
{
    int bodies = argument(argc, argv, 1, 4096);
    int q = argument(argc, argv, 2, 4);
    if (q != 1 && q != 2 && q != 4) {
        printf("q must be 1, 2 or 4\n");
        return 2;
    }
    int p = THREADS / q;
    if (bodies % (p * q)) {
        printf("bodies must be a multiple of %d\n", p * q);
        return 2;
    }
    // Position and mass, velocity.
    float *host_position = (float *)malloc(bodies * 4 * sizeof(float));
    float *host_velocity = (float *)malloc(bodies * 4 * sizeof(float));
    for (int i = 0; i < bodies; i++) {
        for (int axis = 0; axis < 3; axis++) {
            host_position[4 * i + axis] = 4.0f * random_unit() - 2.0f;
            host_velocity[4 * i + axis] = random_unit() - 0.5f;
        }
        host_position[4 * i + 3] = (0.5f + random_unit()) / bodies;
        host_velocity[4 * i + 3] = 1.0f;
    }
    float *position = to_device(host_position, 4 * bodies), *velocity = to_device(host_velocity, 4 * bodies);
    float *moved = device_zeros<float>(4 * bodies);
    dim3 block(p, q);
    if (q == 1)
        integrate<1><<<bodies / p, block>>>((float4 *)moved, (float4 *)position, (float4 *)velocity, bodies);
    else if (q == 2)
        integrate<2><<<bodies / p, block>>>((float4 *)moved, (float4 *)position, (float4 *)velocity, bodies);
    else
        integrate<4><<<bodies / p, block>>>((float4 *)moved, (float4 *)position, (float4 *)velocity, bodies);
    CHECK(cudaGetLastError());

    float *result = to_host(moved, 4 * bodies), *speeds = to_host(velocity, 4 * bodies);
    int stride = bodies <= 256 ? 1 : bodies / 61;
    for (int i = 0; i < bodies; i += stride) {
        double force[3] = {0, 0, 0};
        for (int j = 0; j < bodies; j++) {
            double d[3], square = SOFTENING_SQUARED;
            for (int axis = 0; axis < 3; axis++) {
                d[axis] = (double)host_position[4 * j + axis] - host_position[4 * i + axis];
                square += d[axis] * d[axis];
            }
            double scale = host_position[4 * j + 3] / (square * sqrt(square));
            for (int axis = 0; axis < 3; axis++)
                force[axis] += d[axis] * scale;
        }
        for (int axis = 0; axis < 3; axis++) {
            double v = host_velocity[4 * i + axis] + force[axis] * TIME_STEP;
            expect_float("velocity", 4 * i + axis, v, speeds[4 * i + axis], 2e-5);
            double at = host_position[4 * i + axis] + v * TIME_STEP;
            expect_float("position", 4 * i + axis, at, result[4 * i + axis], 2e-6);
        }
        expect_float("mass", i, host_position[4 * i + 3], result[4 * i + 3], 0);
    }
    CHECK(cudaFree(position));
    CHECK(cudaFree(velocity));
    CHECK(cudaFree(moved));
    return verdict("nbody");
}
