// The spin lock of the book's Figure 3.5: who has the lock has left the loop, behind which all lanes of the
// warp meet. A scheme under which it waits there for those that spin gets nowhere; a subdivided warp does not
// meet there, since both sides of the branch go on to the end of the kernel.
// names: spins on memory that no one changes
// names: where threads of a warp progress independently: on machine `v100`, `a100`, `a6000`, `h100` or `h200`
// out: 8

#include <stdio.h>

__global__ void count(int *mutex, int *counter)
{
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    *counter = *counter + 1;
    atomicExch(mutex, 0);
}

int main()
{
    int *cells;
    int counter = 0;
    cudaMalloc((void **)&cells, 2 * sizeof(int));
    cudaMemset(cells, 0, 2 * sizeof(int));
    count<<<1, 8>>>(cells, cells + 1);
    cudaDeviceSynchronize();
    cudaMemcpy(&counter, cells + 1, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", counter);
    return 0;
}
