// Four blocks work on all elements.
// finding: few-blocks
#include <cstdio>
#include <cstdlib>

const int N = 64 * 1024;
const int THREADS = 256;
const int BLOCKS = 4;

__global__ void polynomial(const float *in, float *out) {
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += BLOCKS * THREADS) {
        float x = in[i], y = 0;
        for (int power = 0; power < 16; ++power) {
            y = y * x + power;
        }
        out[i] = y;
    }
}

int main() {
    float *host = (float *)malloc(N * sizeof(float));
    float *result = (float *)malloc(N * sizeof(float));
    for (int i = 0; i < N; ++i) {
        host[i] = i % 5 * 0.25f;
    }
    float *in, *out;
    cudaMalloc(&in, N * sizeof(float));
    cudaMalloc(&out, N * sizeof(float));
    cudaMemcpy(in, host, N * sizeof(float), cudaMemcpyHostToDevice);
    polynomial<<<BLOCKS, THREADS>>>(in, out); //= too few blocks
    cudaMemcpy(result, out, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i) {
        float y = 0;
        for (int power = 0; power < 16; ++power) {
            y = y * host[i] + power;
        }
        float difference = result[i] - y;
        if (difference > 1e-3f || difference < -1e-3f) {
            printf("FAIL: element %d\n", i);
            return 1;
        }
    }
    printf("PASS\n");
    return 0;
}
