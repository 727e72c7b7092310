// Blocks add up their elements by shuffles: within warps, and then the sums of the warps.
#include <cstdio>
#include <cstdlib>

const int BLOCKS = 256;
const int THREADS = 256;

__global__ void sums(const int *in, int *out) {
    __shared__ int part[THREADS / 32];
    int t = threadIdx.x;
    int sum = in[blockIdx.x * THREADS + t];
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, d);
    }
    if (t % 32 == 0) {
        part[t / 32] = sum;
    }
    __syncthreads();
    if (t < 32) {
        sum = t < THREADS / 32 ? part[t] : 0;
        for (int d = THREADS / 64; d > 0; d /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, d);
        }
        if (t == 0) {
            out[blockIdx.x] = sum;
        }
    }
}

int main() {
    int *host = (int *)malloc(BLOCKS * THREADS * sizeof(int));
    int result[BLOCKS];
    for (int i = 0; i < BLOCKS * THREADS; ++i) {
        host[i] = i % 11;
    }
    int *in, *out;
    cudaMalloc(&in, BLOCKS * THREADS * sizeof(int));
    cudaMalloc(&out, BLOCKS * sizeof(int));
    cudaMemcpy(in, host, BLOCKS * THREADS * sizeof(int), cudaMemcpyHostToDevice);
    sums<<<BLOCKS, THREADS>>>(in, out);
    cudaMemcpy(result, out, BLOCKS * sizeof(int), cudaMemcpyDeviceToHost);
    for (int block = 0; block < BLOCKS; ++block) {
        int sum = 0;
        for (int i = 0; i < THREADS; ++i) {
            sum += host[block * THREADS + i];
        }
        if (result[block] != sum) {
            printf("FAIL: block %d\n", block);
            return 1;
        }
    }
    printf("PASS\n");
    return 0;
}
