// proved saxpy 3 of 3
// Each thread reads and writes its own elements; the arrays are allocations of their own.

__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
    float *x, *y;
    cudaMalloc(&x, 1000 * sizeof(float));
    cudaMalloc(&y, 1000 * sizeof(float));
    saxpy<<<4, 256>>>(1000, 2.0f, x, y);
    saxpy<<<4, 250>>>(1000, 2.0f, x, y);
    cudaDeviceSynchronize();
    return 0;
}
