// A column of doubles: all words are of two banks, where two passes would do.

__global__ void columns(double *out, int rounds)
{
    __shared__ double tile[32][32];
    for (int row = threadIdx.y; row < 32; row += blockDim.y)
        tile[row][threadIdx.x] = row;
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += tile[threadIdx.x][(threadIdx.y + k) % 32]; //= a load takes 32.0 passes of shared memory in place of 2.0, as its lanes want different words of a bank
    out[(blockIdx.x * blockDim.y + threadIdx.y) * 32 + threadIdx.x] = sum;
}

int main()
{
    double *out;
    cudaMalloc(&out, 30 * 8 * 32 * sizeof(double));
    columns<<<30, dim3(32, 8)>>>(out, 64);
    return cudaDeviceSynchronize();
}
