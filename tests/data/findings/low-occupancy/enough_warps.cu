// Nothing limits the warps of an SM but their number.

__global__ void work(const float *in, float *out, int rounds)
{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = in[i];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < rounds; k++)
        sum = sum * 0.5f + part[threadIdx.x ^ k];
    out[i] = sum;
}

int main()
{
    int blocks = 240, threads = 256;
    float *in, *out;
    cudaMalloc(&in, blocks * threads * sizeof(float));
    cudaMalloc(&out, blocks * threads * sizeof(float));
    work<<<blocks, threads>>>(in, out, 16);
    return cudaDeviceSynchronize();
}
