// The lanes of each half synchronise with those of their half only, and read from the other one.
__global__ void halves(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 16) {
        __syncwarp(0x0000ffff);
#ifdef FIXED
        out[t] = s[15 - t];
#else
        out[t] = s[31 - t];
#endif
    } else {
        __syncwarp(0xffff0000);
        out[t] = s[47 - t];
    }
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    halves<<<1, 32>>>(out);
    cudaFree(out);
}
