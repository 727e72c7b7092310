// Memory of three dimensions, and how many blocks a core holds.
#include <iostream>
#include <stdio.h>

__device__ char said[] = "device";
__constant__ char constant[] = "constant";

__global__ void twice(cudaPitchedPtr of, cudaExtent extent)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    int *row = (int *)((char *)of.ptr + (z * of.ysize + y) * of.pitch);
    if (x < extent.width / sizeof(int))
        row[x] *= 2;
}

__global__ void greedy(int *out)
{
    __shared__ int all[5000];
    all[threadIdx.x] = 1;
    out[threadIdx.x] = all[threadIdx.x ^ 1];
}

__global__ void __launch_bounds__(96) narrow(int *out) { out[threadIdx.x] = 1; }

__global__ void speak(const char *text) { printf("%s %s %.3s %5.2s|\n", text, said, constant, "literal"); }

int main()
{
    const int width = 5, height = 3, depth = 2;
    int host[depth][height][width], part[4], blocks, threads;
    cudaPitchedPtr device;
    cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
    for (int i = 0; i < depth * height * width; i++)
        host[0][0][i] = i;
    cudaMalloc3D(&device, extent);
    cudaMemset3D(device, 1, extent);
    printf("%d %zu %zu\n", device.pitch >= width * sizeof(int), device.xsize, device.ysize);
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(host, width * sizeof(int), width, height);
    copy.dstPtr = device;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    twice<<<dim3(height, depth), 8>>>(device, extent);
    cudaMemcpy3DParms back = {0};
    back.srcPtr = device;
    back.srcPos = make_cudaPos(3 * sizeof(int), 1, 0);
    back.dstPtr = make_cudaPitchedPtr(part, 2 * sizeof(int), 2, 1);
    back.extent = make_cudaExtent(2 * sizeof(int), 1, 2);
    back.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&back);
    printf("%d %d %d %d\n", part[0], part[1], part[2], part[3]);

    // What a core of this machine has decides.
    cudaDeviceProp core;
    cudaGetDeviceProperties(&core, 0);
    int warps = core.maxThreadsPerMultiProcessor / core.warpSize / ((128 + core.warpSize - 1) / core.warpSize);
    int fit = min(warps, core.maxBlocksPerMultiProcessor);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, greedy, 128, 0);
    printf("%d", blocks == min(fit, (int)(core.sharedMemPerMultiprocessor / 20000)));
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, greedy, 128, 8000);
    printf(" %d", blocks == min(fit, (int)(core.sharedMemPerMultiprocessor / 28000)));
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, narrow, 97, 0);
    printf(" %d\n", blocks);
    int least;
    cudaOccupancyMaxPotentialBlockSize(&least, &threads, narrow);
    printf("%d", threads);
    cudaOccupancyMaxPotentialBlockSize(&least, &threads, speak, 0, 200);
    printf(" %d %d\n", threads % 8, least > 0);

    char *text;
    cudaMalloc(&text, 8);
    cudaMemcpy(text, "global", 7, cudaMemcpyHostToDevice);
    speak<<<1, 1>>>(text);
    cudaDeviceSynchronize();
    std::cout << 3.14159265 << ' ';
    std::cout.precision(3);
    std::cout << 3.14159265 << '|';
    std::cout.fill('*');
    std::cout.width(6);
    std::cout << 1.5 << std::fixed << ' ' << 1.5 << std::endl;
    std::cout.flush();
}

// out: 1 20 3
// out: 16 18 46 48
// out: 1 1 0
// out: 96 0 1
// out: global device con    li|
// out: 3.14159 3.14|***1.5 1.500
