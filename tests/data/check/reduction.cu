// A tree of sums in shared memory; the barrier between writing and summing is missing.
__global__ void sum(const float *in, float *out)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[t];
#ifdef FIXED
    __syncthreads();
#endif
    for (int d = 64; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        *out = s[0];
}

int main()
{
    float h[128] = {1}, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof *out);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 128>>>(in, out);
    cudaFree(in);
    cudaFree(out);
}
