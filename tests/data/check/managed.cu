// The host reads and sets managed memory that a kernel may still be writing.
#include <stdlib.h>

struct Pair { int key, value; };

__global__ void number(Pair *pairs, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) pairs[i] = {n - i, i};
}

int less(const void *a, const void *b)
{
    return ((const Pair *)a)->key - ((const Pair *)b)->key;
}

int main()
{
    Pair *pairs;
    int sum = 0;
    cudaMallocManaged(&pairs, 100 * sizeof(Pair));
    number<<<4, 32>>>(pairs, 100);
#ifdef FIXED
    cudaDeviceSynchronize();
#endif
    Pair last = pairs[99];
    number<<<4, 32>>>(pairs, 100);
#ifdef FIXED
    cudaDeviceSynchronize();
#endif
    qsort(pairs, 100, sizeof(Pair), less);
    number<<<4, 32>>>(pairs, 50);
    // What no kernel touches may be set.
    pairs[99].value = 0;
#ifdef FIXED
    cudaDeviceSynchronize();
#endif
    pairs[49].value = 0;
    cudaDeviceSynchronize();
    for (int i = 0; i < 100; i++) sum += pairs[i].value;
    cudaFree(pairs);
    return last.key + sum == 0;
}
