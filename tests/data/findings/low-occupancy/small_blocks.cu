// An SM has room for eight blocks, however small they are.

__global__ void work(const float *in, float *out, int rounds)
{
    __shared__ float part[64];
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
    int blocks = 240, threads = 32;
    float *in, *out;
    cudaMalloc(&in, blocks * threads * sizeof(float));
    cudaMalloc(&out, blocks * threads * sizeof(float));
    work<<<blocks, threads>>>(in, out, 16); //= 8 of 48 warps fit on an SM, limited by blocks
    return cudaDeviceSynchronize();
}
