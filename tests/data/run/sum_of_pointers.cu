// A pointer is added to its own sums: the compiler came to no end.
#include <stdio.h>

__global__ void sum(int *p, unsigned n, unsigned *out)
{
    unsigned i = 0;
    do {
        i += (unsigned)(size_t)p;
        out[threadIdx.x] += i & 3;
    } while (i < n);
}

int main()
{
    unsigned *out, host[4] = {1, 2, 3, 4};
    int *p;
    cudaMalloc(&p, 16);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 4>>>(p, 1000, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%u %u %u %u\n", host[0], host[1], host[2], host[3]);
    return 0;
}

// out: 1 2 3 4
