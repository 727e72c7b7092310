// Every thread adds its element to one word of global memory.
// finding: contended-atomics
#include <cstdio>
#include <cstdlib>

const int N = 64 * 1024;

__global__ void count(const int *in, int *total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    if (value % 2 == 1) {
        atomicAdd(total, value); //= atomics on one word
    }
}

int main() {
    int *host = (int *)malloc(N * sizeof(int));
    int expected = 0;
    for (int i = 0; i < N; ++i) {
        host[i] = i * 7 % 13;
        expected += host[i] % 2 == 1 ? host[i] : 0;
    }
    int *in, *total, result;
    cudaMalloc(&in, N * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemcpy(in, host, N * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof(int));
    count<<<N / 256, 256>>>(in, total);
    cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
    printf(result == expected ? "PASS\n" : "FAIL\n");
    return result != expected;
}
