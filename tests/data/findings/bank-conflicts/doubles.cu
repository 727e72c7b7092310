// Doubles side by side: a warp's 64 words take two passes, whatever the rows are, and those of vectors of four four.

__global__ void turn(double *one, float4 *four, int rounds)
{
    __shared__ double s[256];
    __shared__ float4 v[256];
    const int t = threadIdx.x;
    double a = one[blockIdx.x * 256 + t];
    float4 b = four[blockIdx.x * 256 + t];
    for (int r = 0; r < rounds; r++) {
        s[t] = a;
        v[t] = b;
        __syncthreads();
        a += s[(t + 32) & 255];
        const float4 c = v[(t + 32) & 255];
        b.x += c.x;
        b.y += c.y;
        b.z += c.z;
        b.w += c.w;
        __syncthreads();
    }
    one[blockIdx.x * 256 + t] = a;
    four[blockIdx.x * 256 + t] = b;
}

int main()
{
    double *one;
    float4 *four;
    cudaMalloc(&one, 60 * 256 * sizeof(double));
    cudaMalloc(&four, 60 * 256 * sizeof(float4));
    turn<<<60, 256>>>(one, four, 40);
    return cudaDeviceSynchronize();
}
