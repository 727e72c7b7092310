// Four blocks for fifteen SMs.

__global__ void work(int *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i;
    for (int k = 0; k < rounds; k++)
        value = value * 5 + (value >> 3);
    out[i] = value;
}

int main()
{
    int *out;
    cudaMalloc(&out, 4 * 256 * sizeof(int));
    work<<<4, 256>>>(out, 100); //= 4 blocks of 256 threads for 15 SMs, on which 90 fit; 11 SMs have none
    return cudaDeviceSynchronize();
}
