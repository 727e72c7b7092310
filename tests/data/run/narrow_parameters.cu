// Parameters smaller than a word, also as the last ones.
#include <stdio.h>

struct three { char a, b, c; };

__global__ void byte(int *out, unsigned char c) { *out = c; }
__global__ void truth(int *out, int n, bool f) { *out = f ? n : -n; }
__global__ void difference(int *out, short s, short t) { *out = s - t; }
__global__ void parts(int *out, three p) { *out = p.a * 100 + p.b * 10 + p.c; }

int main()
{
    int *d, h;
    cudaMalloc(&d, sizeof h);
    byte<<<1, 1>>>(d, 200);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    truth<<<1, 1>>>(d, 5, false);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    difference<<<1, 1>>>(d, -3, 4);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    three p = {1, 2, 3};
    parts<<<1, 1>>>(d, p);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    return 0;
}

// out: 200
// out: -5
// out: -7
// out: 123
