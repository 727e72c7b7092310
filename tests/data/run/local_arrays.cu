// Arrays of a thread, indexed by data; large ones; ones whose address is passed on.
#include <stdio.h>

__device__ void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
}

__global__ void sorted(const int *in, int *out, int n)
{
    int own[8];
    for (int i = 0; i < n; i++)
        own[i] = in[(threadIdx.x * 7 + i * 5) % 32];
    sort(own, n);
    int r = 0;
    for (int i = 0; i < n; i++)
        r = r * 10 + own[i];
    out[threadIdx.x] = r;
}

__global__ void counters(int *out)
{
    unsigned char seen[10] = {0};
    short grid[3][4];
    for (int i = 0; i < 12; i++)
        grid[i / 4][i % 4] = i * threadIdx.x;
    for (int i = 0; i < 20; i++)
        seen[(threadIdx.x * i) % 10]++;
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum = sum * 3 + seen[i];
    out[threadIdx.x] = sum + grid[threadIdx.x % 3][threadIdx.x % 4];
}

__global__ void large(float *out)
{
    float path[600];
    double exact[4] = {1.0, 0.5};
    path[0] = threadIdx.x;
    for (int i = 1; i < 600; i++)
        path[i] = path[i - 1] * 0.5f + (i & 3);
    exact[threadIdx.x & 3] += path[599 - threadIdx.x];
    out[threadIdx.x] = path[threadIdx.x * 10] + (float)exact[0] + (float)exact[2];
}

__global__ void addresses(int *out)
{
    int a = threadIdx.x, b = 2 * a, *chosen = a % 2 ? &a : &b;
    *chosen += 100;
    int **again = &chosen;
    **again += 1000;
    long long pair[2] = {a, b};
    long long *p = pair;
    out[threadIdx.x] = (int)(p[a & 1] * 10 + *(p + 1 - (a & 1)));
}

int main()
{
    int host[32];
    float floats[32];
    for (int i = 0; i < 32; i++)
        host[i] = (i * 13 + 5) % 10;
    int *in, *out;
    float *reals;
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMalloc((void **)&reals, sizeof floats);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sorted<<<1, 12>>>(in, out, 8);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 12; i++)
        printf("%08d%c", host[i], i % 6 == 5 ? '\n' : ' ');
    counters<<<1, 12>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 12; i++)
        printf("%d%c", host[i], i == 11 ? '\n' : ' ');
    large<<<1, 10>>>(reals);
    cudaMemcpy(floats, reals, sizeof floats, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 10; i++)
        printf("%.4f%c", floats[i], i == 9 ? '\n' : ' ');
    addresses<<<1, 8>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%d%c", host[i], i == 7 ? '\n' : ' ');
    return 0;
}

// out: 00045555 01155666 11226677 22377788 33388889 34448999
// out: 00445559 00155566 11126667 12227778 23337888 33448899
// out: 393660 59053 88592 59057 88588 197685 88584 59097 88636 59057 393720 59169
// out: 5.5333 4.0654 5.4000 4.0667 7.8000 4.0667 5.4000 4.0667 7.8000 4.0667
// out: 1100 1121 1124 1163 1148 1205 1172 1247
