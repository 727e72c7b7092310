// More blocks than fit at once.

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
    cudaMalloc(&out, 240 * 256 * sizeof(int));
    work<<<240, 256>>>(out, 100);
    return cudaDeviceSynchronize();
}
