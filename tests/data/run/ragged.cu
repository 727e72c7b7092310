// Blocks that do not fill their last warp: 1, 25, 61, 169 threads, and 8 x 2 x 8.
// machines: gtx480 fx5800
#include <stdio.h>

__global__ void reverse(int *data, int n)
{
    __shared__ int tile[256];
    int base = blockIdx.x * n;
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    tile[t] = data[base + t] + threadIdx.z;
    __syncthreads();
    data[base + t] = tile[n - 1 - t] * 2 + (t & 1);
}

__global__ void sum(const int *data, int n, int *out)
{
    __shared__ int part[256];
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    part[t] = data[blockIdx.x * n + t];
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (t < stride && t + stride < n)
            part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

int main()
{
    dim3 blocks[6] = {dim3(1), dim3(25), dim3(61), dim3(13, 13), dim3(8, 2, 8), dim3(5, 7, 3)};
    int host[3 * 256], sums[3];
    int *data, *out;
    cudaMalloc((void **)&data, sizeof host);
    cudaMalloc((void **)&out, sizeof sums);
    for (int b = 0; b < 6; b++) {
        int n = blocks[b].x * blocks[b].y * blocks[b].z;
        for (int i = 0; i < 3 * n; i++)
            host[i] = i * i % 101;
        cudaMemcpy(data, host, 3 * n * sizeof(int), cudaMemcpyHostToDevice);
        reverse<<<3, blocks[b]>>>(data, n);
        sum<<<3, blocks[b]>>>(data, n, out);
        cudaMemcpy(host, data, 3 * n * sizeof(int), cudaMemcpyDeviceToHost);
        cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
        printf("%d threads: %d %d %d; %d %d %d\n", n, sums[0], sums[1], sums[2], host[0], host[n - 1], host[3 * n - 1]);
    }
    return 0;
}

// out: 1 threads: 0 2 8; 0 0 8
// out: 25 threads: 2338 2584 2710; 142 0 152
// out: 61 threads: 6250 5812 6520; 130 0 74
// out: 169 threads: 17042 16758 16954; 90 0 26
// out: 128 threads: 13564 14078 13736; 154 1 177
// out: 105 threads: 10390 10614 10892; 22 0 128
