// The rows of the tile have one word more: the words of a column are of different banks.

__global__ void columns(float *out, int rounds)
{
    __shared__ float tile[32][33];
    for (int row = threadIdx.y; row < 32; row += blockDim.y)
        tile[row][threadIdx.x] = row;
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < rounds; k++)
        sum += tile[threadIdx.x][(threadIdx.y + k) % 32];
    out[(blockIdx.x * blockDim.y + threadIdx.y) * 32 + threadIdx.x] = sum;
}

int main()
{
    float *out;
    cudaMalloc(&out, 30 * 8 * 32 * sizeof(float));
    columns<<<30, dim3(32, 8)>>>(out, 64);
    return cudaDeviceSynchronize();
}
