// machine: fx5800
// Half-warps take turns there: two passes for a warp's words side by side are none too many.

__global__ void turn(float *out, int rounds)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    float a = t;
    for (int r = 0; r < rounds; r++) {
        s[t] = a;
        __syncthreads();
        a += s[(t + 32) & 255];
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = a;
}

int main()
{
    float *out;
    cudaMalloc(&out, 60 * 256 * sizeof(float));
    turn<<<60, 256>>>(out, 60);
    return cudaDeviceSynchronize();
}
