// Moves particles by a time step. Each number of the particles that the kernel uses has an array of its own.
#include <cstdio>

const int count = 1 << 14, threads = 256;

__global__ void move(float *x, const float *speed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += speed[i] * 0.5f;
}

int main()
{
    static float places[count], speeds[count];
    for (int i = 0; i < count; i++) {
        places[i] = i % 100;
        speeds[i] = i % 7;
    }
    float *x, *speed;
    cudaMalloc(&x, sizeof(places));
    cudaMalloc(&speed, sizeof(speeds));
    cudaMemcpy(x, places, sizeof(places), cudaMemcpyHostToDevice);
    cudaMemcpy(speed, speeds, sizeof(speeds), cudaMemcpyHostToDevice);
    move<<<count / threads, threads>>>(x, speed);
    cudaMemcpy(places, x, sizeof(places), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 13 + 1) * (double)places[i];
    printf("the weighted sum is %.3f\n", sum);
    cudaFree(x);
    cudaFree(speed);
}
