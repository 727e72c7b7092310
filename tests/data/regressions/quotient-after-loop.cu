// A sum that is the same in all threads within a loop is not after it, where threads leave the loop at different times;
// nor are the steps of a division of it by a constant.
#include <stdio.h>

__global__ void kernel(unsigned *out)
{
    unsigned tid = threadIdx.x, sum = 7, round = 0;
    do {
        sum = sum * 5 + round;
    } while (++round < 5 && (tid & 25) <= 2);
    out[tid] = sum % 9 + sum / 100 * 1000;
}

int main()
{
    unsigned *out, host[64];
    cudaMalloc(&out, sizeof host);
    kernel<<<1, 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        printf("%u ", host[i]);
    return 0;
}
