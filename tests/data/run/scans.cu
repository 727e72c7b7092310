// A scan, a tiled product and a bitonic sort: barriers, shared memory and strides together.
#include <stdio.h>

#define T 4

__global__ void scan(const int *in, int *out, int *sums)
{
    __shared__ int buffer[2][32];
    int t = threadIdx.x, n = blockDim.x, from = 0;
    buffer[0][t] = in[blockIdx.x * n + t];
    __syncthreads();
    for (int d = 1; d < n; d <<= 1) {
        int to = 1 - from;
        buffer[to][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0);
        from = to;
        __syncthreads();
    }
    out[blockIdx.x * n + t] = buffer[from][t];
    if (t == n - 1)
        sums[blockIdx.x] = buffer[from][t];
}

__global__ void product(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[T][T], bs[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * T + x, row = blockIdx.y * T + y;
    float sum = 0.0f;
    for (int m = 0; m < (n + T - 1) / T; ++m) {
        as[y][x] = row < n && m * T + x < n ? a[row * n + m * T + x] : 0.0f;
        bs[y][x] = column < n && m * T + y < n ? b[(m * T + y) * n + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

__global__ void bitonic(int *data)
{
    __shared__ int s[32];
    unsigned t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned other = t ^ j;
            if (other > t) {
                bool up = (t & k) == 0;
                if (up ? s[t] > s[other] : s[t] < s[other]) {
                    int swap = s[t];
                    s[t] = s[other];
                    s[other] = swap;
                }
            }
            __syncthreads();
        }
    data[t] = s[t];
}

int main()
{
    int host[64], *in, *out, *sums;
    for (int i = 0; i < 64; i++)
        host[i] = (i * 41 + 7) % 64;
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMalloc((void **)&sums, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    scan<<<2, 27>>>(in, out, sums);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 54; i++)
        printf("%d%c", host[i], i % 27 == 26 ? '\n' : ' ');
    cudaMemcpy(host, sums, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[1]);
    bitonic<<<1, 32>>>(in);
    cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        printf("%d%c", host[i], i == 31 ? '\n' : ' ');

    const int n = 10;
    float a[n * n], b[n * n], *da, *db, *dc;
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7 * 0.5f;
        b[i] = i % 11 - 5.0f;
    }
    cudaMalloc((void **)&da, sizeof a);
    cudaMalloc((void **)&db, sizeof b);
    cudaMalloc((void **)&dc, sizeof b);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    product<<<dim3(3, 3), dim3(T, T)>>>(da, db, dc, n);
    cudaMemcpy(b, dc, sizeof b, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; i++)
        printf("%g%c", b[i], i % n == n - 1 ? '\n' : ' ');
    return 0;
}

// out: 7 55 80 82 125 145 206 244 259 315 348 358 409 437 442 488 511 511 552 570 629 665 678 732 763 771 820
// out: 26 29 73 94 156 195 211 268 302 313 365 394 400 447 471 472 514 533 593 630 644 699 731 740 790 817 821
// out: 820 821
// out: 0 2 3 5 7 8 10 13 15 18 20 21 23 25 26 28 31 33 36 38 41 43 44 46 48 49 51 54 56 59 61 62
// out: 13.5 20 21 16.5 6.5 -9 -30 -18 -11.5 -10.5
// out: 9 3.5 -7.5 -24 -7.5 3.5 9 9 3.5 -7.5
// out: -9.5 4.5 13 16 13.5 5.5 -8 -27 -13 -4.5
// out: 14 12.5 5.5 -7 -25 -10 -0.5 3.5 2 -5
// out: -1 -18 -2 8.5 13.5 13 7 -4.5 -21.5 -5.5
// out: 15.5 18 15 6.5 -7.5 -27 -13.5 -5.5 -3 -6
// out: 0.5 -9 -24 -6 6.5 13.5 15 11 1.5 -13.5
// out: 13.5 20 21 16.5 6.5 -9 -30 -18 -11.5 -10.5
// out: 9 3.5 -7.5 -24 -7.5 3.5 9 9 3.5 -7.5
// out: -9.5 4.5 13 16 13.5 5.5 -8 -27 -13 -4.5
