// Ours: what was never written is zero: locals, shared memory, malloc and cudaMalloc.
#include <stdio.h>
#include <stdlib.h>

__global__ void zeros(int *out)
{
    __shared__ int tile[16];
    int x, own[5];
    float f;
    int t = threadIdx.x;
    out[t] += x + own[t % 5] + tile[t] + (int)f + 1;
    __syncthreads();
    tile[t] = own[t % 5] = 5;
}

int main()
{
    int host[16], *out, a, b[3];
    double d;
    int *m = (int *)malloc(100);
    cudaMalloc((void **)&out, sizeof host);
    zeros<<<3, 4>>>(out);
    zeros<<<1, 16>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 4; i < 16; i++)
        printf("%d ", host[i]);
    printf("\n%d %d %g %d\n", a, b[2], d, m[24]);
    for (int i = 0; i < 3; i++) {
        int fresh;
        printf("%d ", fresh);
        fresh = 7;
    }
    printf("\n");
    return 0;
}

// cc: no
// out: 1 1 1 1 1 1 1 1 1 1 1 1
// out: 0 0 0 0
// out: 0 0 0
