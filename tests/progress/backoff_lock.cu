// A lock that is given back within the turn of the loop in which it was taken; who does not get it waits
// for a while, longer each time. All lanes meet at the end of each turn, and every scheme goes on.
// out: 32

#include <stdio.h>

__global__ void count(int *mutex, int *counter, int *waited)
{
    bool done = false;
    int pause = 1;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            *counter = *counter + 1;
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        } else {
            for (int i = 0; i < pause; i++)
                atomicAdd(waited, 1);
            pause = min(2 * pause, 16);
        }
    }
}

int main()
{
    int *cells;
    int counter = 0;
    cudaMalloc((void **)&cells, 3 * sizeof(int));
    cudaMemset(cells, 0, 3 * sizeof(int));
    count<<<1, 32>>>(cells, cells + 1, cells + 2);
    cudaDeviceSynchronize();
    cudaMemcpy(&counter, cells + 1, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", counter);
    return 0;
}
