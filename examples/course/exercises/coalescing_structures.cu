// Moves particles by a time step. A particle is a structure of eight numbers.
#include <cstdio>

const int count = 1 << 14, threads = 256;

struct Particle {
    float x, speed, mass, charge, spin, age, heat, size;
};

__global__ void move(Particle *particles)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    particles[i].x += particles[i].speed * 0.5f;
}

int main()
{
    static Particle all[count];
    for (int i = 0; i < count; i++) {
        all[i].x = i % 100;
        all[i].speed = i % 7;
    }
    Particle *particles;
    cudaMalloc(&particles, sizeof(all));
    cudaMemcpy(particles, all, sizeof(all), cudaMemcpyHostToDevice);
    move<<<count / threads, threads>>>(particles);
    cudaMemcpy(all, particles, sizeof(all), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 13 + 1) * (double)all[i].x;
    printf("the weighted sum is %.3f\n", sum);
    cudaFree(particles);
}
