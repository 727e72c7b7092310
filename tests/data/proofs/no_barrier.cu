// proved turn 1 of 3
// found R0101
// The barrier is missing.

__global__ void turn(int *out) {
    __shared__ int tile[256];
    tile[threadIdx.x] = threadIdx.x;
    out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

int main() {
    int *out;
    cudaMalloc(&out, 512 * sizeof(int));
    turn<<<2, 256>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
