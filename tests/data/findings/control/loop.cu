// set: barrier.latency=40
// A barrier in each round of a loop, behind which warps may issue only later.
__global__ void rounds(int *out, int n) {
    int sum = threadIdx.x;
    #pragma unroll 1
    for (int i = 0; i < n; ++i) {
        __syncthreads();
        sum += 128; //= control: every path waits
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    int *out;
    cudaMalloc(&out, 15 * 64 * sizeof(int));
    rounds<<<15, 64>>>(out, 100);
    cudaDeviceSynchronize();
    return 0;
}
