// Follows a ring of pointers: every load needs the one before.
#include <stdlib.h>

__global__ void follow(void **at, int steps, void ***end)
{
    for (int i = 0; i < steps; i++)
        at = (void **)*at;
    *end = at;
}

// Follows a ring of so many places at so many bytes' distance for `steps` and for twice as many loads:
// two launches, each on a machine that holds nothing yet.
int chains(int places, int distance, int steps)
{
    int bytes = places * distance;
    char *ring = (char *)malloc(bytes), *device;
    void ***end;
    cudaMalloc(&device, bytes);
    cudaMalloc(&end, sizeof(void **));
    for (int i = 0; i < places; i++)
        *(void **)(ring + i * distance) = device + (i + 1) % places * distance;
    cudaMemcpy(device, ring, bytes, cudaMemcpyHostToDevice);
    follow<<<1, 1>>>((void **)device, steps, end);
    follow<<<1, 1>>>((void **)device, 2 * steps, end);
    free(ring);
    return cudaDeviceSynchronize();
}
