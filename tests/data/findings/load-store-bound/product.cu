// A product of matrices without tiles: two loads for one multiplication, coalesced or the same for a warp.

__global__ void product(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column]; //= load/store bound: the load/store units are busy
    c[row * n + column] = sum;
}

int main()
{
    int n = 192;
    float *a, *b, *c;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&b, n * n * sizeof(float));
    cudaMalloc(&c, n * n * sizeof(float));
    product<<<dim3(1, n), n>>>(a, b, c, n);
    return cudaDeviceSynchronize();
}
