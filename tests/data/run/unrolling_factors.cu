// Factors of #pragma unroll that are expressions, and _Pragma.
#include <stdio.h>

constexpr int four = 4;
enum { THREE = 3 };
#define WHOLE _Pragma("unroll")
#define UNROLL(n) _Pragma(#n)
#define FOR(i, n) _Pragma("unroll 2") for (int i = 0; i < n; i++)
constexpr __host__ __device__ int twice(int n) { return 2 * n; }

template <int N, class T> __device__ T sum(const T *p, int n)
{
    T all = 0;
#pragma unroll N
    for (int i = 0; i < n; i++)
        all += p[i];
#pragma unroll (N * 2 + sizeof(T))
    for (int i = 0; i < n; i++)
        all = all * 3 + p[i];
    return all;
}

__global__ void k(int *out, const int *in, int n)
{
    int a = 0, b = 0, c = 0, d = 0;
#pragma unroll four
    for (int i = 0; i < n; i++)
        a += in[i];
#pragma unroll THREE + 1
    for (int i = 0; i < n; i++)
        b += in[i] * i;
#pragma unroll twice(2)
    for (int i = 0; i < n; i++)
        c ^= in[i] << i;
    WHOLE
    for (int i = 0; i < 6; i++)
        d += in[i] * a;
    UNROLL(unroll 3) for (int i = 0; i < n; i++) d -= in[i];
    if (n > 3)
        FOR(i, n) d += i;
    else
        FOR(i, 3) FOR(j, n) d += i * j;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = sum<2>(in, n);
    out[5] = sum<5>(in, n) == sum<1>(in, n);
}

int main()
{
    int host[8] = {3, 1, 4, 1, 5, 9, 2, 6}, *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(out, in, 7);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6; i++)
        printf("%d\n", host[i]);
    return 0;
}
// out: 25
// out: 89
// out: 489
// out: 571
// out: 57530
// out: 1
