// #pragma unroll in all its forms, before loops that can and cannot be written out.
#include <stdio.h>

#define ROUNDS 4

__global__ void sums(int *out, int n)
{
    int all = 0, some = 0, none = 0, open = 0, left = 0, nested = 0;
#pragma unroll
    for (int i = 0; i < 40; i++)
        all += i * n;
#pragma unroll ROUNDS
    for (int i = 0; i < 40; i++)
        some = some * 3 + i;
#pragma unroll(7)
    for (int i = 40; i > 0; i -= 2)
        some ^= i << (i & 7);
#pragma unroll 1
    for (int i = 0; i < 3; i++)
        none += i + n;
#pragma nounroll
    for (int i = 0; i < 3; i++)
        none *= i + n;
#pragma unroll 8
    for (int i = 0; i < n; i++)
        open += i;
#pragma unroll
    for (int i = 0; i < 12; i++) {
        if (i == n + 2)
            break;
        left += i;
    }
#pragma unroll
    for (int i = 0; i < 3; i++) {
        int j = 0;
#pragma unroll
        do {
            nested = nested * 2 + i + j;
        } while (++j < i + 1);
    }
#pragma unroll
    out[0] = all;
    out[1] = some;
    out[2] = none;
    out[3] = open;
    out[4] = left;
    out[5] = nested;
}

int main()
{
    int *out, host[6];
    cudaMalloc(&out, sizeof host);
    sums<<<1, 1>>>(out, 5);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6; i++)
        printf("%d\n", host[i]);
    return 0;
}
#pragma unroll
// out: 3900
// out: -1974996300
// out: 3780
// out: 10
// out: 21
// out: 50
