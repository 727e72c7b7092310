// The first warp of a block works long before a barrier that the others wait at.
__global__ void uneven(float *out, int n) {
    float x = threadIdx.x;
    if (threadIdx.x < 32) {
        for (int i = 0; i < n; ++i) {
            x = x * 0.5f + 1.0f;
        }
    }
    __syncthreads(); //= barrier: every path waits at a barrier
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main() {
    float *out;
    cudaMalloc(&out, 15 * 256 * sizeof(float));
    uneven<<<15, 256>>>(out, 2000);
    cudaDeviceSynchronize();
    return 0;
}
