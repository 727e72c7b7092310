// Loops that have an exit and never take it, since their counter stays what it is.
// names: spins on memory that no one changes

__global__ void turn(int *out, int step)
{
    for (int i = 0; i < 10; i += step)
        for (int j = 0; j < 3; j++)
            out[threadIdx.x + 64 * j] = i;
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 192 * sizeof(int));
    turn<<<2, 64>>>(out, 0);
    cudaDeviceSynchronize();
    return 0;
}
