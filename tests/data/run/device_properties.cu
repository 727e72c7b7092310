// What the runtime tells of the device is what the machine is.
// machines: gtx480
// options: --cuda 12
#include <stdio.h>

int main()
{
    cudaDeviceProp p;
    int value = 0, version = 0;
    printf("%d\n", cudaGetDeviceProperties(&p, 0));
    printf("%s: %d x %d threads, warps of %d\n", p.name, p.multiProcessorCount,
        p.maxThreadsPerMultiProcessor, p.warpSize);
    printf("%zu %d %d %d %zu\n", p.sharedMemPerBlock, p.regsPerBlock, p.clockRate, p.l2CacheSize,
        p.totalConstMem);
    printf("%d %d %d %d %d\n", p.maxThreadsPerBlock, p.maxThreadsDim[2], p.maxGridSize[1], p.major, p.minor);
    printf("%.1f GB/s\n", 2.0 * p.memoryClockRate * (p.memoryBusWidth / 8) / 1e6);
    cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
    cudaRuntimeGetVersion(&version);
    printf("%d %d %d\n", value, version, cudaGetDeviceProperties(&p, 1));
    return 0;
}

// out: 0
// out: gtx480: 15 x 1536 threads, warps of 32
// out: 49152 32768 700000 786432 65536
// out: 1024 64 65535 7 0
// out: 177.6 GB/s
// out: 15 12000 101
