// Tiles of a row, one after the other; the barrier that protects a tile from the next one is missing.
__global__ void tiles(const int *in, int *out, int rounds)
{
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < rounds; i++) {
        tile[t] = in[64 * i + t];
        __syncthreads();
        sum += tile[63 - t];
#ifdef FIXED
        __syncthreads();
#endif
    }
    out[t] = sum;
}

int main()
{
    int h[256] = {1}, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    tiles<<<1, 64>>>(in, out, 4);
    cudaFree(in);
    cudaFree(out);
}
