// The same number of loads, with enough to compute for each of them.

__global__ void work(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        float x = a[row * n + k], y = b[k * n + column];
        for (int j = 0; j < 16; j++)
            x = x * y + sum;
        sum += x;
    }
    c[row * n + column] = sum;
}

int main()
{
    int n = 64;
    float *a, *b, *c;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&b, n * n * sizeof(float));
    cudaMalloc(&c, n * n * sizeof(float));
    work<<<dim3(1, n), n>>>(a, b, c, n);
    return cudaDeviceSynchronize();
}
