// The last block of many works much longer than the others, so that most SMs have nothing to do; the grid is large
// enough all the same.

__global__ void work(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i, rounds = blockIdx.x == gridDim.x - 1 ? 2000 : 50;
    for (int k = 0; k < rounds; k++)
        value = value * 5 + (value >> 3);
    out[i] = value;
}

int main()
{
    int *out;
    cudaMalloc(&out, 120 * 256 * sizeof(int));
    work<<<120, 256>>>(out);
    return cudaDeviceSynchronize();
}
