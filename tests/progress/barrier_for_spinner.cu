// One thread waits at a barrier for a warp that spins; the others of its warp have ended. Under schemes that
// regroup threads of a block it has given its slot up to them, and no path stands there when all is stuck:
// it is named all the same.
// names: waits at a barrier for 32 threads of its block
// names: spins on memory that no one changes

#include <stdio.h>

__global__ void wait(volatile int *flag, int *out)
{
    int x = threadIdx.x;
    if (x != 0) {
        if (x < 32)
            return;
        while (*flag == 0)
            ;
    } else {
        __syncthreads();
    }
    out[x] = 1;
}

int main()
{
    int *cells;
    cudaMalloc((void **)&cells, 65 * sizeof(int));
    cudaMemset(cells, 0, 65 * sizeof(int));
    wait<<<1, 64>>>(cells + 64, cells);
    cudaDeviceSynchronize();
    return 0;
}
