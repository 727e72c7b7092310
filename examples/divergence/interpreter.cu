// interpreter: each thread runs a small program of its own for a machine with four registers: a loop around a
// branch with eight sides, of which the threads of a warp take most. Data-dependent.
//
// usage: interpreter [programs [steps]]

#include "check.h"

#define LENGTH 16

__host__ __device__ int interpret(const int *program, int steps)
{
    int a = 1, b = 2, c = 3, at = 0;
    for (int step = 0; step < steps; step++) {
        int code = program[at];
        at = (at + 1) % LENGTH;
        switch (code & 7) {
        case 0:
            a = a + b;
            break;
        case 1:
            b = b * 3 + c;
            break;
        case 2:
            c = c ^ a;
            break;
        case 3:
            a = a - (code >> 3);
            break;
        case 4:
            if (a & 1)
                at = code >> 3 & LENGTH - 1;
            break;
        case 5:
            b = b >> 1 | (a & 1) << 20;
            break;
        case 6:
            c = c + (b & 255) * (a & 15);
            break;
        default:
            a = a & 0xFFFFFF;
            b = b & 0xFFFF;
            break;
        }
    }
    return a ^ b << 8 ^ c << 16;
}

__global__ void interpreter(const int *programs, int *results, int count, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        results[i] = interpret(programs + i * LENGTH, steps);
}

int main(int argc, char **argv)
{
    int count = number(argc, argv, 1, 1500), steps = number(argc, argv, 2, 40);
    int *programs = (int *)malloc(count * LENGTH * sizeof(int));
    int *expected = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count * LENGTH; i++)
        programs[i] = random_below(1024);
    for (int i = 0; i < count; i++)
        expected[i] = interpret(programs + i * LENGTH, steps);
    int *results = on_device(NULL, count);
    interpreter<<<(count + 127) / 128, 128>>>(on_device(programs, count * LENGTH), results, count,
                                              steps);
    CHECK(cudaDeviceSynchronize());
    return verdict("interpreter", expected, results, count);
}
