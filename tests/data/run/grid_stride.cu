// Loops whose step is a variable, unrolled where the source asks for it: forwards, past the ends of the types, and with steps
// that are zero, negative or too large.
#include <stdio.h>

template <class T> __device__ unsigned strided(T start, T limit, T step, unsigned most)
{
    unsigned sum = 0, rounds = 0;
#pragma unroll 4
    for (T i = start; i < limit; i += step) {
        sum = sum * 31 + (unsigned)i;
        if (++rounds == most)
            break;
    }
    return sum + rounds;
}

template <class T> __device__ unsigned counted(T start, T limit, T step)
{
    unsigned sum = 0;
#pragma unroll 8
    for (T i = start; i <= limit; i += step)
        sum = sum * 31 + (unsigned)i;
    return sum;
}

__global__ void grid(const int *in, int *out, int n)
{
#pragma unroll 4
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * 3;
}

__global__ void ends(unsigned *out, int one)
{
    const unsigned long long big = 0xfffffffffffffff0ull;
    out[0] = counted<int>(0, 100 * one, 7 * one);
    out[1] = counted<int>(-100, -3 * one, 9 * one);
    out[2] = counted<int>(2147483600, 2147483600 + 40 * one, 3 * one);
    out[3] = counted<unsigned>(4294967200u, 4294967200u + 88 * one, 5 * one);
    out[4] = counted<unsigned>(5, 2 * one, one);
    out[5] = counted<long long>(-9223372036854775807LL, -9223372036854775807LL + 50 * one, 11 * one);
    out[6] = counted<unsigned long long>(big - 90, big - 9 + one, 4 * one);
    // A step back that wraps below zero, one of more than half of the type, and none.
    out[12] = counted<unsigned>(10, 100 * one, -3 * one);
    out[13] = counted<unsigned long long>(10, 100 * one, -3ll * one);
    out[14] = counted<unsigned>(3, 100 * one, 2147483649u * one);
    out[15] = counted<int>(30, 10 * one, 0 * one);
    // The counter wraps, from one end of the type to the other.
    out[7] = strided<unsigned>(4294967290u, 4294967294u * one, 3 * one, 20);
    // No step, a step back, and one of more than half of the type.
    out[8] = strided<int>(3, 10 * one, 0 * one, 13);
    out[9] = strided<int>(3, 10 * one, -2 * one, 9);
    out[10] = strided<unsigned>(3, 100 * one, 2147483649u * one, 7);
    out[11] = strided<int>(0, 2147483647 * one, 1073741824 * one, 2);
}

int main()
{
    const int n = 1000;
    int host[n], *in, *out;
    unsigned *found, results[16];
    for (int i = 0; i < n; i++)
        host[i] = i * i - 7;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMalloc(&found, sizeof(results));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    grid<<<3, 32>>>(in, out, n);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += host[i] != 3 * (i * i - 7);
    printf("%d wrong\n", wrong);
    ends<<<1, 1>>>(found, 1);
    cudaMemcpy(results, found, sizeof(results), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        printf("%u\n", results[i]);
    return wrong;
}
// out: 0 wrong
// out: 3222026833
// out: 1231735785
// out: 1701794325
// out: 1623876653
// out: 0
// out: 1304215
// out: 415570238
// out: 2793112754
// out: 378940880
// out: 3932155268
// out: 4
// out: 1073741826
// out: 304762
// out: 304762
// out: 3
// out: 0
