// The threads of a warp go through a loop a different number of times, and seldom take the branch in it.

__global__ void prepare(int *rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    rounds[i] = i % 32 == 0 ? 200 : 10;
}

__global__ void work(const int *rounds, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i;
    for (int k = 0; k < rounds[i]; k++) { //= this loop exit, which depends on loaded data, splits warps
        value = value * 5 + (value >> 3);
        if (value % 1000 == 7)
            out[i] = k;
    }
    out[i] = value;
}

int main()
{
    int *rounds, *out;
    cudaMalloc(&rounds, 60 * 256 * sizeof(int));
    cudaMalloc(&out, 60 * 256 * sizeof(int));
    prepare<<<60, 256>>>(rounds);
    work<<<60, 256>>>(rounds, out);
    return cudaDeviceSynchronize();
}
