// The warps of a block wait at different barriers.
__global__ void sides(int *out)
{
    int t = threadIdx.x;
#ifdef FIXED
    out[t] = t < 32 ? 1 : 2;
    __syncthreads();
#else
    if (t < 32) {
        out[t] = 1;
        __syncthreads();
    } else {
        out[t] = 2;
        __syncthreads();
    }
#endif
    int other = out[63 - t];
    __syncthreads();
    out[t] += other;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    sides<<<1, 64>>>(out);
    cudaFree(out);
}
