// Threads of a warp hand each other values through shared memory and count on being at one instruction: they
// say so nowhere. Behind a loop that they leave one after the other that is so only where something makes
// them meet.
// out: 32

#include <stdio.h>

__global__ void hand_over(int *out)
{
    __shared__ volatile int values[32];
    int x = threadIdx.x, y = x;
    for (int i = 0; i < x * 7 % 32 * 20; i++)
        y = y * 3 + 1;
    values[x] = y;
    out[x] = values[x ^ 1];
}

int main()
{
    int *cells;
    int host[32], right = 0;
    cudaMalloc((void **)&cells, sizeof(host));
    hand_over<<<1, 32>>>(cells);
    cudaDeviceSynchronize();
    cudaMemcpy(host, cells, sizeof(host), cudaMemcpyDeviceToHost);
    for (int x = 0; x < 32; x++) {
        int other = x ^ 1, y = other;
        for (int i = 0; i < other * 7 % 32 * 20; i++)
            y = y * 3 + 1;
        right += host[x] == y;
    }
    printf("%d\n", right);
    return 0;
}
