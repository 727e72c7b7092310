// What the helper headers of the samples supply.
// args: --size=12 -verbose -name=graph
#include <stdio.h>
#include <cutil_inline.h>
#include <helper_cuda.h>
#include <helper_functions.h>

__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }

int main(int argc, char **argv)
{
    CUT_DEVICE_INIT(argc, argv);
    int dev = findCudaDevice(argc, (const char **)argv);
    unsigned int timer = 0;
    CUT_SAFE_CALL(cutCreateTimer(&timer));
    StopWatchInterface *watch = NULL;
    sdkCreateTimer(&watch);
    cutilCheckError(cutStartTimer(timer));
    sdkStartTimer(&watch);
    int *p, back[8], n = 0;
    CUDA_SAFE_CALL(cudaMalloc((void **)&p, sizeof back));
    fill<<<1, 8>>>(p);
    CUT_CHECK_ERROR("fill failed");
    cutilCheckMsg("fill failed");
    cutilSafeCall(cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost));
    sdkStopTimer(&watch);
    cutStopTimer(timer);
    printf("%d %d %d\n", dev, cutGetTimerValue(timer) > 0, sdkGetTimerValue(&watch) > 0);
    sdkDeleteTimer(&watch);
    cutDeleteTimer(timer);
    if (checkCmdLineFlag(argc, (const char **)argv, "size"))
        n = getCmdLineArgumentInt(argc, (const char **)argv, "size");
    char *name = NULL;
    getCmdLineArgumentString(argc, (const char **)argv, "name", &name);
    printf("%d %s %d %d\n", n, name, cutCheckCmdLineFlag(argc, (const char **)argv, "verbose"),
        cutCheckCmdLineFlag(argc, (const char **)argv, "quiet"));
    float a[3] = {1, 2, 3}, b[3] = {1, 2, 3.001f};
    printf("%d %d\n", cutComparefe(a, b, 3, 0.01f), sdkCompareL2fe(a, b, 3, 1e-5f));
    cutilSafeCall(cudaFree(back));
    return 0;
}

// status: 1
// err: cudaFree(back): cudaErrorInvalidValue (1): invalid argument
// out: 0 1 1
// out: 12 graph 1 0
// out: 1 0
