// Nothing changes while it turns: a deadlock, unless the limit comes first.
// status: 242 243
// err: kernel 'turn'
// options: --max-cycles 200000

__global__ void turn(int *out)
{
    out[threadIdx.x] = 1;
    while (1)
        ;
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 100 * sizeof(int));
    turn<<<1, 8>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
