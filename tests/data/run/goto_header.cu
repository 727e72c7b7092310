// A loop whose header only leads to the test of the loop inside. When that test had been copied into it, it was taken for a
// test itself, and the compiler did not end.
#include <cstdio>

__global__ void again(const int *in, int *out, int n)
{
    int i = 0, j, s = threadIdx.x;
again:
    j = i;
    while (j < n) {
        s += in[j];
        if (s % 3 == 1) {
            i = 2 * j - i + 1;
            goto again;
        }
        j++;
        s ^= j;
    }
    out[threadIdx.x] = s + i;
}

int main()
{
    int h[40], *in, *out;
    for (int i = 0; i < 40; i++)
        h[i] = i * 7 % 11;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    again<<<1, 40>>>(in, out, 40);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < 40; i++)
        sum = sum * 31 + h[i];
    printf("%lld\n", sum);
    cudaFree(in);
    cudaFree(out);
}
// out: -610193927133676877
