// `cuda.h`: a program that uses the driver alone.

#include <cstdio>
#include <cuda.h>
#include <vector>

static const char *const text =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 total;\n"
    // scale(out, n): out[tid] *= n
    ".visible .entry scale(.param .u64 out, .param .u32 n)\n"
    "{\n.reg .b32 %r<5>;\n.reg .b64 %rd<3>;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
    "mad.wide.u32 %rd2, %r2, 4, %rd1;\nld.u32 %r3, [%rd2];\nmul.lo.u32 %r3, %r3, %r1;\nst.u32 [%rd2], %r3;\n"
    "atom.global.add.u32 %r4, [total], 1;\nret;\n}\n";

static int faults = 0;

#define IS(call, expected) \
    do { \
        long long found = (long long)(call); \
        if (found != (long long)(expected)) { \
            std::printf("%s is %lld, expected %lld\n", #call, found, (long long)(expected)); \
            faults++; \
        } \
    } while (0)

int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction scale;
    CUdeviceptr memory, total;
    CUstream stream;
    CUevent start, end;
    int warp = 0, most = 0;
    IS(cuInit(0), CUDA_SUCCESS);
    IS(cuDeviceGet(&device, 0), CUDA_SUCCESS);
    IS(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
    device = 0;
    IS(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device), CUDA_SUCCESS);
    IS(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device), CUDA_SUCCESS);
    IS(cuModuleLoadDataEx(&module, text, 0, nullptr, nullptr), CUDA_SUCCESS);
    IS(cuModuleGetFunction(&scale, module, "scale"), CUDA_SUCCESS);
    IS(cuModuleGetFunction(&scale, module, "absent"), CUDA_ERROR_NOT_FOUND);
    IS(cuModuleGetFunction(&scale, module, "scale"), CUDA_SUCCESS);
    IS(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale), CUDA_SUCCESS);
    IS(most >= warp, 1);

    std::vector<unsigned int> host(warp), back(warp);
    for (int i = 0; i < warp; i++)
        host[i] = i;
    size_t bytes = warp * sizeof host[0], size = 0;
    IS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    IS(cuEventCreate(&start, CU_EVENT_DEFAULT), CUDA_SUCCESS);
    IS(cuEventCreate(&end, CU_EVENT_DEFAULT), CUDA_SUCCESS);
    IS(cuMemAlloc(&memory, bytes), CUDA_SUCCESS);
    IS(cuMemcpyHtoDAsync(memory, host.data(), bytes, stream), CUDA_SUCCESS);
    IS(cuEventRecord(start, stream), CUDA_SUCCESS);
    unsigned int factor = 3;
    void *arguments[] = {&memory, &factor};
    IS(cuLaunchKernel(scale, 1, 1, 1, warp, 1, 1, 0, stream, arguments, nullptr), CUDA_SUCCESS);
    struct {
        CUdeviceptr out;
        unsigned int n;
    } packed = {memory, 2};
    size_t packed_size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_size,
        CU_LAUNCH_PARAM_END};
    IS(cuLaunchKernel(scale, 1, 1, 1, warp, 1, 1, 0, stream, nullptr, extra), CUDA_SUCCESS);
    IS(cuEventRecord(end, stream), CUDA_SUCCESS);
    IS(cuStreamSynchronize(stream), CUDA_SUCCESS);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.srcPitch = bytes / 2;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = back.data();
    copy.dstPitch = bytes / 2;
    copy.WidthInBytes = bytes / 2;
    copy.Height = 2;
    IS(cuMemcpy2D(&copy), CUDA_SUCCESS);
    IS(back[1], 6);
    IS(back[warp - 1], 6 * (warp - 1));
    float milliseconds = -1;
    IS(cuEventElapsedTime(&milliseconds, start, end), CUDA_SUCCESS);
    IS(milliseconds >= 0, 1);
    unsigned int count = 0;
    IS(cuModuleGetGlobal(&total, &size, module, "total"), CUDA_SUCCESS);
    IS(cuMemcpyDtoH(&count, total, size), CUDA_SUCCESS);
    IS(count, 2 * warp);
    const char *name = "";
    IS(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name), CUDA_SUCCESS);
    IS(cuMemFree(memory), CUDA_SUCCESS);
    IS(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
    IS(cuModuleUnload(module), CUDA_SUCCESS);
    IS(cuCtxDestroy(context), CUDA_SUCCESS);
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
