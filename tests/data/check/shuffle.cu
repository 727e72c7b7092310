// A shuffle between a write and a read of shared memory brings the lanes together, and does not order their accesses.
__global__ void neighbours(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
    int other = __shfl_xor_sync(0xffffffff, t, 1);
#ifdef FIXED
    __syncwarp();
#endif
    out[t] = s[31 - t] + other;
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    neighbours<<<1, 32>>>(out);
    cudaFree(out);
}
