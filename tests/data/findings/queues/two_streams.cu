// set: affine=decoupled
// Two streams: the affine one issues the loads.
__global__ void add(float *c, const float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += gridDim.x * blockDim.x) {
        c[i] = a[i] + b[i]; //= queues: one stream
    }
}

int main() {
    const int n = 64 * 1024;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    cudaMemset(b, 0, n * sizeof(float));
    add<<<30, 256>>>(c, a, b, n);
    cudaDeviceSynchronize();
    return 0;
}
