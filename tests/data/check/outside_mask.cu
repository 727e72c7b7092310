// The last lane of the mask takes a value from a lane that the mask does not name.
__global__ void outside_mask(int *out)
{
    int t = threadIdx.x, v = t;
    if (t < 16)
#ifdef FIXED
        v += __shfl_down_sync(0x0000ffff, v, 1, 16);
#else
        v += __shfl_down_sync(0x0000ffff, v, 1);
#endif
    out[t] = v;
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    outside_mask<<<1, 32>>>(out);
    cudaFree(out);
}
