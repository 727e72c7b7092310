// proved turn 0 of 4
// found R0101
// Threads stand at different barriers, so that the phases in which the tile is only read are not those of all.

__global__ void turn(int *out, int turns) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t < 32) {
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < turns; k++) tile[t] += k;
        __syncthreads();
    } else {
        __syncthreads();
        int sum = 0;
#pragma unroll 1
        for (int k = 0; k < turns; k++) sum += tile[(t + k) % 32];
        __syncthreads();
        out[blockIdx.x * 64 + t] = sum;
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 128 * sizeof(int));
    turn<<<2, 64>>>(out, 3);
    cudaDeviceSynchronize();
    return 0;
}
