// A thread keeps forty sums, but the compiler may use twenty registers only.
// finding: spills
// registers: 20
#include <cstdio>
#include <cstdlib>

const int BLOCKS = 64;
const int THREADS = 192;
const int SUMS = 40;
const int STEPS = 8;

__global__ void sums(const unsigned *in, unsigned *out) {
    unsigned sum[SUMS];
    int first = blockIdx.x * THREADS + threadIdx.x;
    #pragma unroll
    for (int k = 0; k < SUMS; ++k) {
        sum[k] = first + k; //= spills
    }
    for (int step = 0; step < STEPS; ++step) {
        unsigned value = in[step * THREADS + threadIdx.x];
        #pragma unroll
        for (int k = 0; k < SUMS; ++k) {
            sum[k] = sum[k] * value + sum[(k + 1) % SUMS]; //= spills
        }
    }
    unsigned all = 0;
    #pragma unroll
    for (int k = 0; k < SUMS; ++k) {
        all ^= sum[k];
    }
    out[first] = all;
}

int main() {
    unsigned *host = (unsigned *)malloc(STEPS * THREADS * sizeof(unsigned));
    unsigned *result = (unsigned *)malloc(BLOCKS * THREADS * sizeof(unsigned));
    for (int i = 0; i < STEPS * THREADS; ++i) {
        host[i] = i % 9;
    }
    unsigned *in, *out;
    cudaMalloc(&in, STEPS * THREADS * sizeof(unsigned));
    cudaMalloc(&out, BLOCKS * THREADS * sizeof(unsigned));
    cudaMemcpy(in, host, STEPS * THREADS * sizeof(unsigned), cudaMemcpyHostToDevice);
    sums<<<BLOCKS, THREADS>>>(in, out);
    cudaMemcpy(result, out, BLOCKS * THREADS * sizeof(unsigned), cudaMemcpyDeviceToHost);
    for (int first = 0; first < BLOCKS * THREADS; ++first) {
        unsigned sum[SUMS], all = 0;
        for (int k = 0; k < SUMS; ++k) {
            sum[k] = first + k;
        }
        for (int step = 0; step < STEPS; ++step) {
            unsigned value = host[step * THREADS + first % THREADS];
            for (int k = 0; k < SUMS; ++k) {
                sum[k] = sum[k] * value + sum[(k + 1) % SUMS];
            }
        }
        for (int k = 0; k < SUMS; ++k) {
            all ^= sum[k];
        }
        if (result[first] != all) {
            printf("FAIL: thread %d\n", first);
            return 1;
        }
    }
    printf("PASS\n");
    return 0;
}
