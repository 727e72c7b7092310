// Each block adds up a row that is larger than the L1 with eight weights, one weight after the other.
// finding: thrashing
#include <cstdio>
#include <cstdlib>

const int BLOCKS = 60;
const int THREADS = 64;
const int LENGTH = 16 * 1024;
const int WEIGHTS = 8;

__global__ void sums(const int *rows, int *out) {
    const int *row = rows + blockIdx.x % 4 * LENGTH;
    int sum = 0;
    for (int weight = 1; weight <= WEIGHTS; ++weight) {
        #pragma unroll 4
        for (int i = threadIdx.x; i < LENGTH; i += THREADS) {
            sum += row[i] * weight; //= thrashing: the L1 of an SM fetches
        }
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

int main() {
    int *host = (int *)malloc(4 * LENGTH * sizeof(int));
    int *result = (int *)malloc(BLOCKS * THREADS * sizeof(int));
    for (int i = 0; i < 4 * LENGTH; ++i) {
        host[i] = i % 3;
    }
    int *rows, *out;
    cudaMalloc(&rows, 4 * LENGTH * sizeof(int));
    cudaMalloc(&out, BLOCKS * THREADS * sizeof(int));
    cudaMemcpy(rows, host, 4 * LENGTH * sizeof(int), cudaMemcpyHostToDevice);
    sums<<<BLOCKS, THREADS>>>(rows, out);
    cudaMemcpy(result, out, BLOCKS * THREADS * sizeof(int), cudaMemcpyDeviceToHost);
    for (int at = 0; at < BLOCKS * THREADS; ++at) {
        int sum = 0;
        for (int i = at % THREADS; i < LENGTH; i += THREADS) {
            sum += host[at / THREADS % 4 * LENGTH + i] * (WEIGHTS * (WEIGHTS + 1) / 2);
        }
        if (result[at] != sum) {
            printf("FAIL: %d\n", at);
            return 1;
        }
    }
    printf("PASS\n");
    return 0;
}
