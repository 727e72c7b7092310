// Each access starts in the middle of a line, and touches two: that is not twice as many as would do and more.

__global__ void shift(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        out[i] = in[i + 1];
}

int main()
{
    int n = 1 << 16;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    shift<<<n / 256, 256>>>(in, out, n);
    return cudaDeviceSynchronize();
}
