// A constructor that does nothing may stand at a variable of the device, as nvcc has it.
#include <stdio.h>
struct vec { float x, y, z; __host__ __device__ vec() {} __host__ __device__ vec(float a) : x(a), y(a), z(a) {} };
struct camera { vec at, to; int n; __host__ __device__ camera() {} };
__constant__ camera view;
__device__ vec points[4];
__global__ void k(float *f) { points[1] = vec(2); f[0] = view.at.x + points[0].y; f[1] = points[1].z + view.n; }
int main() {
    camera c;
    c.at = vec(5);
    c.n = 7;
    cudaMemcpyToSymbol(view, &c, sizeof c);
    float *f;
    cudaMallocManaged(&f, 8);
    k<<<1, 1>>>(f);
    cudaDeviceSynchronize();
    printf("%g %g\n", f[0], f[1]);
    return 0;
}
// out: 5 9
