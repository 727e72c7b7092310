// Each thread works on an element of one of five kinds, which follow each other at random.
// finding: divergence
#include <cstdio>
#include <cstdlib>

const int N = 32 * 1024;

__host__ __device__ float work(int kind, float x) {
    switch (kind) { //= divergence: this branch
    case 0:
        for (int i = 0; i < 24; ++i) {
            x = x * 0.5f + 1.0f;
        }
        return x;
    case 1:
        for (int i = 0; i < 16; ++i) {
            x = (x - 2.0f) * (x + 0.25f) * 0.125f;
        }
        return x;
    case 2:
        for (int i = 0; i < 20; ++i) {
            x = x * 0.25f - x * x * 0.0625f;
        }
        return x;
    case 3:
        for (int i = 0; i < 32; ++i) {
            x = 1.5f - x * 0.75f;
        }
        return x;
    default:
        for (int i = 0; i < 28; ++i) {
            x = x * 0.875f + 0.125f;
        }
        return x;
    }
}

__global__ void elements(const int *kinds, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(kinds[i], in[i]);
}

int main() {
    int *kinds = (int *)malloc(N * sizeof(int));
    float *host = (float *)malloc(N * sizeof(float));
    float *result = (float *)malloc(N * sizeof(float));
    unsigned seed = 1;
    for (int i = 0; i < N; ++i) {
        seed = seed * 1664525u + 1013904223u;
        kinds[i] = (seed >> 16) % 5;
        host[i] = (seed >> 8) % 1024 / 1024.0f;
    }
    int *device_kinds;
    float *in, *out;
    cudaMalloc(&device_kinds, N * sizeof(int));
    cudaMalloc(&in, N * sizeof(float));
    cudaMalloc(&out, N * sizeof(float));
    cudaMemcpy(device_kinds, kinds, N * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(in, host, N * sizeof(float), cudaMemcpyHostToDevice);
    elements<<<N / 256, 256>>>(device_kinds, in, out);
    cudaMemcpy(result, out, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i) {
        float difference = result[i] - work(kinds[i], host[i]);
        if (difference > 1e-5f || difference < -1e-5f) {
            printf("FAIL: element %d\n", i);
            return 1;
        }
    }
    printf("PASS\n");
    return 0;
}
