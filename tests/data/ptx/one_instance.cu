// A template with several instances; the PTX has one of them.
#include <stdio.h>

template <int N> __global__ void fill(int *out) { out[threadIdx.x] = N * threadIdx.x; }

int main()
{
    int *out, host[3][32];
    cudaMalloc(&out, sizeof host);
    fill<1><<<1, 32>>>(out);
    fill<-2><<<1, 32>>>(out + 32);
    fill<5><<<1, 32>>>(out + 64);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0][31], host[1][31], host[2][31]);
    return 0;
}
