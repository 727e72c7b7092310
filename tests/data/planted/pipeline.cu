// Half of the warps load a tile while the others work on the one before.
__global__ void pipeline(const T *in, T *out, int tiles)
{
    __shared__ T tile[2][BLOCK / 2];
    int t = threadIdx.x, half = BLOCK / 2, lane = t % half;
    bool loads = t < half;
    T sum = 0;
    if (loads)
        tile[0][lane] = in[lane]; // plant
    __syncthreads(); // plant
    for (int i = 0; i < tiles; i++) {
        if (loads && i + 1 < tiles)
            tile[(i + 1) % 2][lane] = in[(i + 1) * half + lane]; // plant
        if (!loads)
            for (int k = 0; k < half; k++)
                sum += tile[i % 2][k];
        __syncthreads(); // plant
    }
    if (!loads)
        out[blockIdx.x * half + lane] = sum;
}

int main()
{
    T *in, *out;
    cudaMalloc(&in, 4 * BLOCK * sizeof(T));
    cudaMalloc(&out, BLOCKS * BLOCK * sizeof(T));
    cudaMemset(in, 0, 4 * BLOCK * sizeof(T)); // plant
    pipeline<<<BLOCKS, BLOCK>>>(in, out, 4);
    cudaFree(in);
    cudaFree(out);
}
