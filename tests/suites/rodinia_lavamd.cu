// suite: rodinia
// includes: cuda/lavaMD/kernel
// unchanged
#include "driver.h"
#define main their_main
#include "kernel_gpu_cuda_wrapper.cu"
#undef main

const int side = 2, boxes = side * side * side, all = boxes * NUMBER_PAR_PER_BOX;
box_str box[boxes];
FOUR_VECTOR position[all], force[all];
fp charge[all];

// Forces between the particles of neighbouring boxes, against the sum on the host.
int main()
{
    par_str parameters = {0.5};
    dim_str sizes = {};
    sizes.number_boxes = boxes;
    srand(8);
    for (int b = 0; b < boxes; b++) {
        box[b].offset = b * NUMBER_PAR_PER_BOX;
        box[b].number = b;
        for (int other = 0; other < boxes; other++)
            if (other != b)
                box[b].nei[box[b].nn++].number = other;
    }
    for (int i = 0; i < all; i++) {
        position[i].v = rand() % 10 / 10.0 + 0.1;
        position[i].x = rand() % 10 / 10.0 + 0.1;
        position[i].y = rand() % 10 / 10.0 + 0.1;
        position[i].z = rand() % 10 / 10.0 + 0.1;
        charge[i] = rand() % 10 / 10.0 + 0.1;
    }
    box_str *box_d;
    FOUR_VECTOR *position_d, *force_d;
    fp *charge_d;
    cudaMalloc(&box_d, sizeof box);
    cudaMalloc(&position_d, sizeof position);
    cudaMalloc(&force_d, sizeof force);
    cudaMalloc(&charge_d, sizeof charge);
    cudaMemcpy(box_d, box, sizeof box, cudaMemcpyHostToDevice);
    cudaMemcpy(position_d, position, sizeof position, cudaMemcpyHostToDevice);
    cudaMemcpy(charge_d, charge, sizeof charge, cudaMemcpyHostToDevice);
    cudaMemset(force_d, 0, sizeof force);
    kernel_gpu_cuda<<<boxes, NUMBER_THREADS>>>(parameters, sizes, box_d, position_d, charge_d, force_d);
    cudaMemcpy(force, force_d, sizeof force, cudaMemcpyDeviceToHost);
    int wrong = 0;
    double a2 = 2 * parameters.alpha * parameters.alpha;
    for (int i = 0; i < all; i += 7) {
        double v = 0, x = 0, y = 0, z = 0;
        FOUR_VECTOR a = position[i];
        for (int j = 0; j < all; j++) {
            FOUR_VECTOR b = position[j];
            double u = exp(-a2 * (a.v + b.v - (a.x * b.x + a.y * b.y + a.z * b.z)));
            v += charge[j] * u;
            x += charge[j] * 2 * u * (a.x - b.x);
            y += charge[j] * 2 * u * (a.y - b.y);
            z += charge[j] * 2 * u * (a.z - b.z);
        }
        wrong += !(fabs(force[i].v - v) < 1e-9 * (1 + fabs(v)));
        wrong += !(fabs(force[i].x - x) < 1e-9 * (1 + fabs(v)));
        wrong += !(fabs(force[i].y - y) < 1e-9 * (1 + fabs(v)));
        wrong += !(fabs(force[i].z - z) < 1e-9 * (1 + fabs(v)));
    }
    return verdict(wrong, "values");
}

// out: PASS
