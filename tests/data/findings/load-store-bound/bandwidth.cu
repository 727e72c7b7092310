// The units are full because DRAM brings no more: that is `memory-bound`.

__global__ void add(const float *a, const float *b, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + b[i];
}

int main()
{
    int n = 1 << 18;
    float *a, *b, *out;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    add<<<n / 256, 256>>>(a, b, out);
    return cudaDeviceSynchronize();
}
