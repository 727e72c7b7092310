// Lanes of a warp pass values on through shared memory; `__syncwarp` is missing.
__global__ void pass_on(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
#ifdef FIXED
    __syncwarp();
#endif
    out[t] = s[(t + 1) % 32];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    pass_on<<<1, 32>>>(out);
    cudaFree(out);
}
