// One thread leaves out a barrier, which therefore orders nothing.
__global__ void part_barrier(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
#ifdef FIXED
    __syncthreads();
#else
    if (t != 7)
        __syncthreads();
#endif
    out[t] = s[63 - t];
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    part_barrier<<<1, 64>>>(out);
    cudaFree(out);
}
