// threadIdx and its kin are unsigned: their differences wrap.
#include <stdio.h>

__global__ void wrap(int *out, float *f)
{
    int t = threadIdx.x;
    int *o = out + 8 * t;
    o[0] = threadIdx.x - 2 < 3;
    o[1] = (int)threadIdx.x - 2 < 3;
    o[2] = (threadIdx.x - 4) / 2 > 5;
    o[3] = (threadIdx.x - 4) >> 28;
    o[4] = (int)(threadIdx.x - 4) >> 28;
    o[5] = -threadIdx.x % 5;
    o[6] = (long long)(threadIdx.x - blockDim.x) > 0;
    o[7] = t - 4 < threadIdx.x;
    f[t] = threadIdx.x - 3;
}

__global__ void neighbours(const int *in, int *out)
{
    // The left neighbour of thread 0 has a huge index, the guard must see it unsigned.
    int left = threadIdx.x - 1 < blockDim.x ? in[threadIdx.x - 1] : -1;
    int right = threadIdx.x + 1 < blockDim.x ? in[threadIdx.x + 1] : -2;
    out[threadIdx.x] = left * 100 + right;
    for (int i = threadIdx.x; i >= 0; i -= 3)
        out[threadIdx.x] += 1000 * i;
}

int main()
{
    int host[64], *in, *out;
    float f[8], *df;
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMalloc((void **)&df, sizeof f);
    wrap<<<1, 8>>>(out, df);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 8; t++) {
        for (int i = 0; i < 8; i++)
            printf("%d ", host[8 * t + i]);
        printf("%.0f\n", f[t]);
    }
    for (int i = 0; i < 10; i++)
        host[i] = 7 * i + 3;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    neighbours<<<1, 10>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 10; i++)
        printf("%d%c", host[i], i == 9 ? '\n' : ' ');
    return 0;
}

// out: 0 1 1 15 -1 0 1 0 4294967296
// out: 0 1 1 15 -1 0 1 0 4294967296
// out: 1 1 1 15 -1 4 1 0 4294967296
// out: 1 1 1 15 -1 3 1 0 0
// out: 1 1 0 0 0 2 1 1 1
// out: 0 0 0 0 0 1 1 1 2
// out: 0 0 0 0 0 0 1 1 3
// out: 0 0 0 0 0 4 1 1 4
// out: -90 1317 3024 4731 7438 10145 12852 16559 20266 23898
