// Barriers in loops and branches whose condition is loaded, but equal in the whole block.
#include <stdio.h>

__global__ void rounds(const int *counts, int *data)
{
    __shared__ int tile[32];
    int t = threadIdx.x, n = blockDim.x;
    tile[t] = data[blockIdx.x * n + t];
    __syncthreads();
    int k = 0;
    while (k < counts[blockIdx.x]) {
        int left = tile[(t + n - 1) % n];
        __syncthreads();
        tile[t] += left + k;
        __syncthreads();
        k++;
    }
    data[blockIdx.x * n + t] = tile[t];
}

__global__ void choices(const int *flags, int *data)
{
    __shared__ int tile[32];
    int t = threadIdx.x, n = blockDim.x;
    tile[t] = t;
    if (flags[0]) {
        __syncthreads();
        int other = tile[n - 1 - t];
        if (flags[1] == 7) {
            __syncthreads();
            tile[t] = other * 10;
            __syncthreads();
            other = tile[(t + 1) % n];
        } else {
            other = -1;
        }
        __syncthreads();
        tile[t] = other;
    }
    __syncthreads();
    data[t] = tile[t ^ 1];
}

// Every thread leaves in the same round, which the data decide.
__global__ void converge(int *data, int *steps)
{
    __shared__ int changed;
    int t = threadIdx.x;
    int value = data[t];
    for (int round = 0; true; round++) {
        if (t == 0)
            changed = 0;
        __syncthreads();
        if (value > 1) {
            value = value % 2 ? 3 * value + 1 : value / 2;
            changed = 1;
        }
        __syncthreads();
        if (!changed) {
            steps[t] = round;
            break;
        }
        __syncthreads();
    }
    data[t] = value;
}

int main()
{
    int n = 24, host[48], counts[2] = {3, 5}, flags[2] = {1, 7};
    for (int i = 0; i < 48; i++)
        host[i] = i % 10;
    int *data, *small;
    cudaMalloc((void **)&data, sizeof host);
    cudaMalloc((void **)&small, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(small, counts, sizeof counts, cudaMemcpyHostToDevice);
    rounds<<<2, n>>>(small, data);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 48; i++)
        printf("%d%c", host[i], i % 24 == 23 ? '\n' : ' ');
    for (int f = 0; f < 3; f++) {
        flags[0] = f > 0;
        flags[1] = f > 1 ? 7 : 0;
        cudaMemcpy(small, flags, sizeof flags, cudaMemcpyHostToDevice);
        choices<<<1, 16>>>(small, data);
        cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 16; i++)
            printf("%d%c", host[i], i == 15 ? '\n' : ' ');
    }
    for (int i = 0; i < n; i++)
        host[i] = i + 1;
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    converge<<<1, n>>>(data, small);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d", host[0], host[23]);
    cudaMemcpy(host, small, sizeof host, cudaMemcpyDeviceToHost);
    printf(" %d %d\n", host[0], host[23]);
    return 0;
}

// out: 20 16 12 16 24 32 40 48 56 64 62 40 18 16 24 32 40 48 56 64 62 40 18 16
// out: 198 210 202 194 206 234 256 238 170 102 84 106 138 170 202 234 256 238 170 102 84 106 138 170
// out: 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14
// out: -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
// out: 130 140 110 120 90 100 70 80 50 60 30 40 10 20 150 0
// out: 1 1 20 20
