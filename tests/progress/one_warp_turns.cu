// The first warp turns for ever; the others end, whatever there was to wait for.
// names: spins on memory that no one changes

__global__ void turn(int *out, int step)
{
    if (threadIdx.x < 32)
        for (int i = 0; i < 10; i += step)
            out[i] = 1;
    else
        out[threadIdx.x * 2] = out[threadIdx.x] + 1;
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 192 * sizeof(int));
    turn<<<2, 96>>>(out, 0);
    cudaDeviceSynchronize();
    return 0;
}
