// The lanes that wait for a flag never reach the barrier after which it would be raised.
// status: 242 243
// err: kernel 'wait'
// err: divergent_barrier.cu
// models: functional timing
// options: --max-cycles 2000000

__global__ void wait(volatile int *flag, int *out)
{
    int t = threadIdx.x;
    if (t % 4 < 2) {
        while (flag[0] == 0)
            ;
    } else {
        __syncthreads();
        flag[0] = 1;
    }
    out[t] = flag[0];
}

int main()
{
    int *cells;
    cudaMalloc((void **)&cells, 100 * sizeof(int));
    wait<<<1, 32>>>(cells, cells + 1);
    cudaDeviceSynchronize();
    return 0;
}
