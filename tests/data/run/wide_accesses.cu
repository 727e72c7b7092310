// Adjacent words of shared and local memory, loaded and stored: together where they are aligned and nothing
// between touches them, else one by one.
#include <stdio.h>

__device__ int sum_of_row(const int *row, int from)
{
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum = sum * 3 + row[from + i];
    return sum;
}

__global__ void rows(int *out, int shift)
{
    __shared__ int rows[32][12];
    __shared__ double pairs[64];
    int t = threadIdx.x;
#pragma unroll
    for (int i = 0; i < 12; i++)
        rows[t][i] = t * 100 + i * i;
    pairs[2 * t] = t + 0.5;
    pairs[2 * t + 1] = t * 2.25;
    __syncthreads();
    // Aligned, aligned to eight bytes only, and not known to be aligned.
    int next = (t + 1) & 31;
    out[t] = sum_of_row(rows[next], 4);
    out[32 + t] = sum_of_row(rows[next], 2);
    out[64 + t] = sum_of_row(rows[next], shift);
    out[96 + t] = (int)(pairs[2 * next] * 4 + pairs[2 * next + 1]);
}

__global__ void between(int *out, int at)
{
    __shared__ int words[32 * 4];
    int t = threadIdx.x;
    int *mine = words + 4 * t;
    mine[0] = t;
    mine[1] = t + 1;
    mine[at] = 1000;
    mine[2] = t + 2;
    mine[3] = t + 3;
    int first = mine[0];
    mine[at + 1] = 2000;
    int second = mine[1], third = mine[2];
    mine[3] += 5;
    int fourth = mine[3];
    out[t] = first + 10 * second + 100 * third + 1000 * fourth;
}

__global__ void exchanged(int *out)
{
    __shared__ int words[128];
    int t = threadIdx.x;
    words[4 * t] = words[4 * t + 1] = words[4 * t + 2] = words[4 * t + 3] = t;
    __syncthreads();
    int from = 4 * ((t + 5) & 31);
    int a = words[from], b = words[from + 1];
    __syncthreads();
    words[4 * t + 3] = a + 1;
    words[4 * t + 2] = b + 2;
    words[4 * t + 1] = words[4 * t + 2] + 3;
    words[4 * t] = 7;
    __syncthreads();
    int c = words[from + 2], d = words[from + 3];
    out[t] = a + b * 3 + c * 5 + d * 7 + words[from] * 11 + words[from + 1] * 13;
}

__global__ void local(int *out, int n)
{
    int kept[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        kept[i] = n * i + threadIdx.x;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += kept[(i + threadIdx.x) & 7];
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum = sum * 5 + kept[i];
    out[threadIdx.x] = sum;
}

static void print(const char *what, const int *out, int n)
{
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 7 + out[i];
    printf("%s: %d %d %d, all %llx\n", what, out[0], out[1], out[n - 1], sum);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 128 * sizeof(int));
    rows<<<1, 32>>>(out, 1);
    cudaDeviceSynchronize();
    print("rows", out, 128);
    for (int at = 0; at < 3; at++) {
        between<<<1, 32>>>(out, at);
        cudaDeviceSynchronize();
        print("between", out, 32);
    }
    exchanged<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    print("exchanged", out, 32);
    local<<<1, 32>>>(out, 11);
    cudaDeviceSynchronize();
    print("local", out, 32);
    cudaFree(out);
    return 0;
}
// out: rows: 396812 724812 2, all d1062b9dd43b93e0
// out: between: 29200 30300 63300, all 64f4e4aeaee474c0
// out: between: 218000 219001 249031, all c7f68d3cba13d490
// out: between: 2005210 2005321 2008651, all 6313d0fa37087df0
// out: exchanged: 429 458 400, all 4a562b315940ccd0
// out: local: 133471657 150756813 291186493, all 1ffb7a25e8a02060
