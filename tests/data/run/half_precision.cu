// Numbers of half precision.
#include <cuda_fp16.h>
#include <stdio.h>

template <typename T> __global__ void axpy(T a, const T *x, T *y) { y[threadIdx.x] += a * x[threadIdx.x]; }

__global__ void more(const half *x, const half2 *pairs, unsigned short *out, half2 *two)
{
    __shared__ half tile[8];
    int i = threadIdx.x;
    tile[i] = x[7 - i];
    __syncthreads();
    half a = x[i], b = tile[i];
    unsigned short *to = out + 8 * i;
    to[0] = __half_as_ushort(a + b);
    to[1] = __half_as_ushort(__hfma(a, b, __float2half(-0.5f)));
    to[2] = __half_as_ushort(a / b);
    to[3] = (a < b) + 2 * __heq(a, b) + 4 * (a >= b) + 8 * __hisnan(a);
    to[4] = __half_as_ushort(-a - b);
    to[5] = __half_as_ushort(hsqrt(__habs(a)));
    to[6] = __half2int_rn(a);
    to[7] = __half_as_ushort(__hmax(a, b));
    if (i < 4)
        two[i] = __hfma2(pairs[i], __half2half2(a), __floats2half2_rn(0.5f, b)) + pairs[0] * pairs[i];
}

int main()
{
    float values[8] = {1.0f, 0.333333f, 65519.0f, 65520.0f, 6e-8f, -2.5f, 1e-3f, 2049.0f};
    half x[8], y[8], *dx, *dy;
    for (int i = 0; i < 8; i++) {
        x[i] = __float2half(values[i]);
        y[i] = 0.1;
        printf("%04x %.9g\n", __half_as_ushort(x[i]), __half2float(x[i]));
    }
    printf("%04x %04x\n", __half_as_ushort(__half(0.0 / 0)), __half_as_ushort(__half(1.0004882812500002)));
    printf("%04x\n", __half_as_ushort(__hfma(__ushort_as_half(0x3c01), __ushort_as_half(0x3bfe), __half(2050))));
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof y);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
    axpy<half><<<1, 8>>>(__half(2), dx, dy);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%.9g ", (float)y[i]);
    printf("\n");
    half2 *two, pairs[4];
    unsigned short *out, h[64];
    cudaMalloc(&two, sizeof pairs);
    cudaMalloc(&out, sizeof h);
    more<<<1, 8>>>(dx, (half2 *)dx, out, two);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(pairs, two, sizeof pairs, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        printf("%04x%c", h[i], i % 8 == 7 ? '\n' : ' ');
    for (int i = 0; i < 4; i++)
        printf("%g %g %zu\n", __low2float(pairs[i]), __half22float2(pairs[i]).y, sizeof(half2));
}

// out: 3c00 1
// out: 3555 0.333251953
// out: 7bff 65504
// out: 7c00 inf
// out: 0001 5.96046448e-08
// out: c100 -2.5
// out: 1419 0.00100040436
// out: 6800 2048
// out: 7fff 3c01
// out: 6801
// out: 2.09960938 0.766601562 inf inf 0.0999755859 -4.8984375 0.101989746 4096
// out: 6800 6800 1000 0001 e800 3c00 0001 6800
// out: 3559 b7ff 5d34 0004 b559 389e 0000 3555
// out: 7bff fc00 f666 0004 fbff 5bff ffe0 7bff
// out: 7c00 7c00 7c00 0004 fc00 7c00 ffff 7c00
// out: 7c00 7c00 0000 0001 fc00 0c00 0000 7c00
// out: 7bff fc00 8280 0001 fbff 3e53 fffe 7bff
// out: 3559 b7ff 1a26 0001 b559 280c 0000 3555
// out: 6800 6800 6800 0004 e800 51a8 0800 6800
// out: 2.5 2048 4
// out: inf inf 4
// out: 0.503906 -inf 4
// out: inf inf 4
