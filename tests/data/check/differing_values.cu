// All threads store to one place: all the same value but for one, which is no race of the same value.
__global__ void differing_values(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (i == 127)
#endif
        out[0] = i == 127 ? 2 : 1;
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof(int));
    differing_values<<<4, 32>>>(out);
    cudaFree(out);
}
