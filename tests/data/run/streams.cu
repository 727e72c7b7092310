// Streams, asynchronous copies, rows with a pitch: everything is done when its call returns.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__device__ int offsets[2];

__global__ void add(int *rows, size_t pitch, int width)
{
    int *row = (int *)((char *)rows + blockIdx.x * pitch);
    if (threadIdx.x < width)
        row[threadIdx.x] += offsets[blockIdx.x & 1];
}

int main()
{
    const int width = 5, height = 3;
    int host[height][width], back[height][8], *rows;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            host[y][x] = y * 10 + x;
    size_t pitch = 0;
    checkCudaErrors(cudaMallocPitch((void **)&rows, &pitch, width * sizeof(int), height));
    cudaStream_t streams[2];
    for (int i = 0; i < 2; i++)
        checkCudaErrors(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    int values[2] = {100, 200};
    checkCudaErrors(cudaMemcpyToSymbolAsync(offsets, values, sizeof values, 0, cudaMemcpyHostToDevice, streams[0]));
    checkCudaErrors(cudaMemcpy2DAsync(rows, pitch, host, sizeof host[0], sizeof host[0], height,
        cudaMemcpyHostToDevice, streams[0]));
    cudaEvent_t done;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventRecord(done, streams[0]);
    cudaStreamWaitEvent(streams[1], done, 0);
    add<<<height, 8, 0, streams[1]>>>(rows, pitch, width);
    cudaStreamSynchronize(streams[1]);
    printf("%d %d\n", cudaStreamQuery(streams[1]) == cudaSuccess, cudaEventQuery(done));
    cudaMemcpy2D(back, sizeof back[0], rows, pitch, sizeof host[0], height, cudaMemcpyDeviceToHost);
    for (int y = 0; y < height; y++)
        printf("%d %d\n", back[y][0], back[y][width - 1]);
    cudaMemset2D(rows, pitch, 0xff, 2 * sizeof(int), 2);
    cudaMemcpy2D(back, sizeof back[0], rows, pitch, sizeof host[0], height, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", back[0][1], back[0][2], back[1][0], back[2][0]);
    printf("%d %d\n", pitch >= sizeof host[0], cudaMemcpy2D(back, 4, rows, pitch, 8, 1, cudaMemcpyDeviceToHost));
    int *flat;
    cudaMalloc(&flat, 16);
    cudaMemsetAsync(flat, 1, 16, streams[0]);
    cudaMemcpyAsync(values, flat, 8, cudaMemcpyDeviceToHost, streams[0]);
    printf("%x\n", values[1]);
    cudaStreamDestroy(streams[0]);
    printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(streams[0])));
    size_t free_before, free_after, total, size;
    cudaMemGetInfo(&free_before, &total);
    cudaFree(flat);
    cudaMemGetInfo(&free_after, &total);
    cudaGetSymbolSize(&size, offsets);
    int *address;
    cudaGetSymbolAddress((void **)&address, offsets);
    cudaMemcpy(values, address + 1, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %zu %d\n", free_after > free_before, free_after < total, size, values[0]);
    cudaFuncSetCacheConfig(add, cudaFuncCachePreferL1);
    cudaDeviceSetLimit(cudaLimitStackSize, 4096);
    cudaDeviceGetLimit(&size, cudaLimitStackSize);
    printf("%zu\n", size);
    cudaSetDevice(1);
    getLastCudaError("no second device");
    return 0;
}

// status: 1
// err: no second device: cudaErrorInvalidDevice (101): invalid device ordinal
// out: 1 0
// out: 100 104
// out: 210 214
// out: 120 124
// out: -1 102 -1 120
// out: 1 12
// out: 1010101
// out: cudaErrorInvalidResourceHandle
// out: 1 1 8 200
// out: 4096
