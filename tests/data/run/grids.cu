// 1-D, 2-D and 3-D grids and blocks: every index of every thread.
#include <stdio.h>

__global__ void flat(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = blockIdx.x * 1000 + threadIdx.x * 10 + gridDim.x;
}

__global__ void plane(int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int width = gridDim.x * blockDim.x;
    out[y * width + x] = threadIdx.y * 1000 + threadIdx.x * 100 + blockIdx.y * 10 + blockIdx.x;
}

__global__ void space(int *out)
{
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int threads = blockDim.x * blockDim.y * blockDim.z;
    out[block * threads + thread] =
        threadIdx.z * 10000 + threadIdx.y * 1000 + threadIdx.x * 100 + blockIdx.z * 10 + blockIdx.y * 2 + blockIdx.x;
}

void show(int *device, int count)
{
    int host[256];
    cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < count; i++) {
        printf("%d%c", host[i], i % 12 == 11 || i == count - 1 ? '\n' : ' ');
        sum = sum * 31 + host[i];
    }
    printf("%d: %lld\n", count, sum);
    cudaMemset(device, 0, 256 * sizeof(int));
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 256 * sizeof(int));
    flat<<<3, 5>>>(out);
    show(out, 15);
    flat<<<dim3(2), dim3(8, 1, 1)>>>(out);
    show(out, 16);
    dim3 grid(2, 3), block(4, 2);
    plane<<<grid, block>>>(out);
    show(out, 48);
    dim3 deep;
    deep.x = 2;
    deep.z = 3;
    space<<<dim3(1, 2, 2), deep>>>(out);
    show(out, 24);
    space<<<dim3(2, 1, 3), dim3(1, 5, 2)>>>(out);
    show(out, 60);
    printf("%u %u %u %d\n", deep.x, deep.y, deep.z, (int)sizeof(dim3));
    cudaFree(out);
    return 0;
}

// out: 3 13 23 33 43 1003 1013 1023 1033 1043 2003 2013
// out: 2023 2033 2043
// out: 15: 6286372930801529439
// out: 2 12 22 32 42 52 62 72 1002 1012 1022 1032
// out: 1042 1052 1062 1072
// out: 16: 1189865758095306320
// out: 0 100 200 300 1 101 201 301 1000 1100 1200 1300
// out: 1001 1101 1201 1301 10 110 210 310 11 111 211 311
// out: 1010 1110 1210 1310 1011 1111 1211 1311 20 120 220 320
// out: 21 121 221 321 1020 1120 1220 1320 1021 1121 1221 1321
// out: 48: -7432800932359123744
// out: 0 100 10000 10100 20000 20100 2 102 10002 10102 20002 20102
// out: 10 110 10010 10110 20010 20110 12 112 10012 10112 20012 20112
// out: 24: -8257082920416697424
// out: 0 1000 2000 3000 4000 10000 11000 12000 13000 14000 1 1001
// out: 2001 3001 4001 10001 11001 12001 13001 14001 10 1010 2010 3010
// out: 4010 10010 11010 12010 13010 14010 11 1011 2011 3011 4011 10011
// out: 11011 12011 13011 14011 20 1020 2020 3020 4020 10020 11020 12020
// out: 13020 14020 21 1021 2021 3021 4021 10021 11021 12021 13021 14021
// out: 60: -2307668220233512512
// out: 2 1 3 12
