// There is enough to compute while loads are under way.

__global__ void work(const float *in, float *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    for (int k = 0; k < rounds; k++)
        value = value * 0.5f + k;
    out[i] = value;
}

int main()
{
    int n = 60 * 256;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    work<<<60, 256>>>(in, out, 200);
    return cudaDeviceSynchronize();
}
