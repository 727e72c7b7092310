// An array of each thread lies in local memory because the program indexes it: that is no spill.

__global__ void work(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int counts[16] = {0};
    for (int k = 0; k < 64; k++)
        counts[in[i + k] & 15]++;
    int most = 0;
    for (int k = 0; k < 16; k++)
        most = max(most, counts[k]);
    out[i] = most;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, (60 * 128 + 64) * sizeof(int));
    cudaMalloc(&out, 60 * 128 * sizeof(int));
    work<<<60, 128>>>(in, out);
    return cudaDeviceSynchronize();
}
