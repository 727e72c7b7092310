// One warp on each SM, whose instructions depend on each other.
__global__ void chain(float *out, int n) {
    float x = threadIdx.x;
    for (int i = 0; i < n; ++i) {
        x = x * 0.5f + 1.0f;
        x = x * 0.25f + 2.0f; //= arithmetic latency: every path waits
        x = x * 0.75f + 3.0f;
        x = x * 0.125f + 4.0f;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main() {
    float *out;
    cudaMalloc(&out, 15 * 32 * sizeof(float));
    chain<<<15, 32>>>(out, 200);
    cudaDeviceSynchronize();
    return 0;
}
