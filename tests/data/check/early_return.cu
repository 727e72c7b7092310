// Threads beyond the end return before a barrier.
__global__ void reverse(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
#ifdef FIXED
    if (t < n)
        s[t] = in[t];
    __syncthreads();
    if (t < n)
        out[t] = s[n - 1 - t];
#else
    if (t >= n)
        return;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[n - 1 - t];
#endif
}

int main()
{
    int h[50] = {}, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reverse<<<1, 64>>>(in, out, 50);
    cudaFree(in);
    cudaFree(out);
}
