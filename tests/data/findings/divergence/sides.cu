// Neighbouring threads take different sides.

__global__ void sides(int *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i;
    if (i & 1) { //= this branch, which depends on indices and parameters only, splits warps 100.0 % of the time; until the paths meet 50.0 % of the lanes are active
        for (int k = 0; k < rounds; k++)
            value = value * 5 + (value >> 3);
    } else {
        for (int k = 0; k < rounds; k++)
            value = value * 3 ^ (value >> 2);
    }
    out[i] = value;
}

int main()
{
    int *out;
    cudaMalloc(&out, 60 * 256 * sizeof(int));
    sides<<<60, 256>>>(out, 50);
    return cudaDeviceSynchronize();
}
