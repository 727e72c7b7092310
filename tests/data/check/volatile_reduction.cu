// The reduction of old: a volatile array, and lanes in lock-step.
__global__ void sum(const int *in, int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = 0;
    __syncthreads();
    for (int step = 16; step > 0; step /= 2) {
#ifdef FIXED
        int other = s[t + step];
        __syncwarp();
        s[t] += other;
        __syncwarp();
#else
        s[t] += s[t + step];
#endif
    }
    if (t == 0) *out = s[0];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    sum<<<1, 32>>>(in, out);
    cudaFree(in);
    cudaFree(out);
}
