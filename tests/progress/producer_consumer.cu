// A producer and a consumer on the two sides of a branch, each of which waits for the other: sides have to
// run interleaved.
// names: spins on memory that no one changes
// out: 285

#include <stdio.h>

__global__ void exchange(int *full, int *value, int *sum)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < 10; i++) {
            while (atomicAdd(full, 0) != 0)
                ;
            *value = i * i;
            __threadfence();
            atomicExch(full, 1);
        }
    } else {
        for (int i = 0; i < 10; i++) {
            while (atomicAdd(full, 0) != 1)
                ;
            *sum = *sum + *value;
            __threadfence();
            atomicExch(full, 0);
        }
    }
}

int main()
{
    int *cells;
    int sum = 0;
    cudaMalloc((void **)&cells, 3 * sizeof(int));
    cudaMemset(cells, 0, 3 * sizeof(int));
    exchange<<<1, 2>>>(cells, cells + 1, cells + 2);
    cudaDeviceSynchronize();
    cudaMemcpy(&sum, cells + 2, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
    return 0;
}
