// A mask that names lanes which have returned, and lanes that give different masks.
__global__ void masks(int *out)
{
    int t = threadIdx.x;
#ifdef FIXED
    unsigned mask = __ballot_sync(0xffffffff, t < 24);
#else
    unsigned mask = 0xffffffff;
#endif
    if (t >= 24)
        return;
    int v = __shfl_down_sync(mask, t, 1, 8);
#ifdef FIXED
    out[t] = v + __shfl_xor_sync(mask, t, 1);
#else
    out[t] = v + __shfl_xor_sync(t < 12 ? 0x00ffffff : 0x00fff000, t, 1);
#endif
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    masks<<<1, 32>>>(out);
    cudaFree(out);
}
