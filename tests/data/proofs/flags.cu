// proved publish 0 of 5
// A volatile flag orders what is beside it, so it is looked at as all else here is.

__global__ void publish(int *data, volatile int *ready, int *out) {
    int block = blockIdx.x;
    if (threadIdx.x == 0) {
        if (block == 0) {
            data[5] = 42;
            __threadfence();
            ready[0] = 1;
        } else {
            while (ready[0] == 0) {
            }
            out[block] = data[5];
        }
    }
}

int main() {
    int *data, *ready, *out;
    cudaMalloc(&data, 8 * sizeof(int));
    cudaMalloc(&ready, 8 * sizeof(int));
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMemset(ready, 0, 8 * sizeof(int));
    publish<<<2, 32>>>(data, ready, out);
    cudaDeviceSynchronize();
    return 0;
}
