// Global memory of which only a part is copied, the edge of a tile in shared memory, and a local array.
__global__ void read(const int *in, const int *copy, int *out, int n)
{
    __shared__ int tile[34];
    int t = threadIdx.x, own[4];
    tile[t + 1] = in[t];
#ifdef FIXED
    if (t == 0)
        tile[0] = tile[33] = 0;
    for (int i = 0; i < 4; i++)
        own[i] = 0;
#endif
    own[n % 4] = t;
    __syncthreads();
    out[t] = tile[t] + tile[t + 2] + own[(n + t) % 4] + copy[t];
}

int main()
{
    int h[32] = {}, *in, *copy, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&copy, sizeof h);
    cudaMalloc(&out, sizeof h);
#ifdef FIXED
    cudaMemset(in, 0, sizeof h);
#endif
    cudaMemcpy(in, h, 16 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(copy, in, sizeof h, cudaMemcpyDeviceToDevice);
    read<<<1, 32>>>(in, copy, out, 1);
    cudaFree(in);
    cudaFree(copy);
    cudaFree(out);
}
