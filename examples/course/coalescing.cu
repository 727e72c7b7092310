// The same sums of three numbers for each particle, from an array of structures and from a structure of arrays.
#include <cstdio>

struct Particle {
    float x, y, z, mass;
};

__global__ void of_structures(const Particle *particles, float *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = particles[i].x + particles[i].z;
}

__global__ void of_arrays(const float *x, const float *z, float *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = x[i] + z[i];
}

int main()
{
    const int count = 1 << 16;
    Particle *particles;
    float *x, *z, *sums;
    cudaMalloc(&particles, count * sizeof(Particle));
    cudaMalloc(&x, count * sizeof(float));
    cudaMalloc(&z, count * sizeof(float));
    cudaMalloc(&sums, count * sizeof(float));
    cudaMemset(particles, 0, count * sizeof(Particle));
    cudaMemset(x, 0, count * sizeof(float));
    cudaMemset(z, 0, count * sizeof(float));
    of_structures<<<count / 256, 256>>>(particles, sums);
    of_arrays<<<count / 256, 256>>>(x, z, sums);
    float first;
    cudaMemcpy(&first, sums, sizeof(float), cudaMemcpyDeviceToHost);
    printf("the first sum is %g\n", first);
    cudaFree(particles);
    cudaFree(x);
    cudaFree(z);
    cudaFree(sums);
}
