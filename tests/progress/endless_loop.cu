// A loop without an exit, behind which nothing can be reached.
// names: spins on memory that no one changes

__global__ void turn(int *out)
{
    out[threadIdx.x] = 1;
    while (1)
        ;
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 64 * sizeof(int));
    turn<<<2, 64>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
