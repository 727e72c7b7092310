// A block takes half of an SM's shared memory.

__global__ void work(const float *in, float *out, int rounds)
{
    __shared__ float part[6144];
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
    int blocks = 240, threads = 64;
    float *in, *out;
    cudaMalloc(&in, blocks * threads * sizeof(float));
    cudaMalloc(&out, blocks * threads * sizeof(float));
    work<<<blocks, threads>>>(in, out, 16); //= 4 of 48 warps fit on an SM, limited by shared memory
    return cudaDeviceSynchronize();
}
