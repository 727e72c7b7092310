// Blocks add up their elements by a tree in shared memory, with a barrier at each level.
// finding: tree
#include <cstdio>
#include <cstdlib>

const int BLOCKS = 256;
const int THREADS = 256;

__global__ void sums(const int *in, int *out) {
    __shared__ int part[THREADS];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d) { //= tree: levels of a tree
            part[t] += part[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
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
