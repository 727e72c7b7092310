// A warp adds up in shared memory as before Volta, without `__syncwarp` between the steps.
#ifdef FIXED
#define STEP(n) { int v = s[t + n]; __syncwarp(); s[t] += v; __syncwarp(); }
#else
#define STEP(n) s[t] += s[t + n];
#endif

__global__ void sum(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = 0;
    __syncthreads();
    STEP(2)
    STEP(1)
    out[t] = s[t];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    sum<<<1, 32>>>(in, out);
    cudaFree(in);
    cudaFree(out);
}
