// The addition of vectors of Triton's first tutorial. masked_add.ptx is the kernel as Triton makes it: masks are guards.

#include <stdio.h>

#define BLOCK 1024

__global__ void masked_add(const float *x, const float *y, float *sum, int n, void *)
{
    int first = blockIdx.x * BLOCK + 4 * threadIdx.x;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 4; i++) {
            int at = first + half * (BLOCK / 2) + i;
            if (at < n)
                sum[at] = x[at] + y[at];
        }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3000;
    size_t bytes = n * sizeof(float);
    float *x = (float *)malloc(bytes), *y = (float *)malloc(bytes), *sum = (float *)malloc(bytes);
    for (int i = 0; i < n; i++) {
        x[i] = 0.5f * i;
        y[i] = 100.0f - i;
    }
    float *device_x, *device_y, *device_sum;
    cudaMalloc(&device_x, bytes);
    cudaMalloc(&device_y, bytes);
    cudaMalloc(&device_sum, bytes);
    cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);
    cudaMemset(device_sum, 0, bytes);
    masked_add<<<(n + BLOCK - 1) / BLOCK, 128>>>(device_x, device_y, device_sum, n, nullptr);
    cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += sum[i] != x[i] + y[i];
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong;
}
