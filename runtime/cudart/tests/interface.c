// Calls of the runtime and the driver with right and wrong arguments, and the codes that they must return.

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned x, y, z; } dim3;
typedef struct { int magic, version; const void *data; void *unused; } Note;

void *__cudaRegisterFatBinary(const void *note);
void __cudaRegisterFatBinaryEnd(void *binary);
void __cudaRegisterFunction(void *binary, const void *stand_in, char *name, const char *symbol, int threads, void *a,
    void *b, void *c, void *d, void *e);
void __cudaRegisterVar(void *binary, const void *stand_in, char *name, const char *symbol, int external, size_t size,
    int is_constant, int global);
int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream);
int cudaMalloc(void **p, size_t size);
int cudaMallocManaged(void **p, size_t size, unsigned flags);
int cudaMallocHost(void **p, size_t size);
int cudaFree(void *p);
int cudaFreeHost(void *p);
int cudaMemcpy(void *to, const void *from, size_t size, int kind);
int cudaMemcpy2D(void *to, size_t a, const void *from, size_t b, size_t width, size_t height, int kind);
int cudaMemset(void *to, int value, size_t size);
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind);
int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
int cudaDeviceSynchronize(void);
int cudaDeviceReset(void);
int cudaSetDevice(int device);
int cudaStreamCreate(void **stream);
int cudaStreamDestroy(void *stream);
int cudaStreamSynchronize(void *stream);
int cudaStreamBeginCapture(void *stream, int mode);
int cudaStreamEndCapture(void *stream, void **graph);
int cudaGraphInstantiateWithFlags(void **launchable, void *graph, unsigned long long flags);
int cudaGraphLaunch(void *launchable, void *stream);
int cudaEventCreate(void **event);
int cudaEventRecord(void *event, void *stream);
int cudaEventElapsedTime(float *milliseconds, void *start, void *end);
int cudaEventDestroy(void *event);
int cudaMallocMipmappedArray(void);
int cudaDeviceEnablePeerAccess(int peer, unsigned flags);
int cudaFuncGetAttributes(void *attributes, const void *function);
const char *cudaGetErrorName(int code);
int cuInit(unsigned flags);
int cuModuleLoadData(void **module, const void *data);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
    unsigned shared, void *stream, void **arguments, void **extra);
int cuGetProcAddress(const char *name, void **place, int version, uint64_t flags);

static const char *const text =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .const .align 4 .u32 scale = 3;\n"
    ".visible .global .align 4 .u32 total;\n"
    // add(out, n): out[tid] += n * scale
    ".visible .entry add(.param .u64 out, .param .u32 n)\n"
    "{\n.reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\nld.const.u32 %r2, [scale];\nmov.u32 %r3, %tid.x;\n"
    "mad.wide.u32 %rd2, %r3, 4, %rd1;\nld.u32 %r4, [%rd2];\nmad.lo.u32 %r4, %r1, %r2, %r4;\nst.u32 [%rd2], %r4;\n"
    "atom.global.add.u32 %r5, [total], 1;\nret;\n}\n";

static char stand_in_add, stand_in_nothing, stand_in_corrupt, stand_in_lost, scale, total;
static int faults;

static void is(int line, const char *what, int found, int expected)
{
    if (found != expected) {
        printf("line %d: %s returns %d, expected %d\n", line, what, found, expected);
        faults++;
    }
}
#define IS(call, expected) is(__LINE__, #call, call, expected)

// A container with the text, of which `length` bytes are stated.
static unsigned char *container(const char *ptx, uint64_t length)
{
    uint64_t size = strlen(ptx) + 1;
    unsigned char *bytes = calloc(1, 16 + 64 + size);
    uint32_t magic = 0xBA55ED50, head = 64, architecture = 75;
    uint16_t version = 1, own = 16, kind = 1;
    uint64_t all = length ? length : 64 + size;
    memcpy(bytes, &magic, 4);
    memcpy(bytes + 4, &version, 2);
    memcpy(bytes + 6, &own, 2);
    memcpy(bytes + 8, &all, 8);
    memcpy(bytes + 16, &kind, 2);
    memcpy(bytes + 20, &head, 4);
    memcpy(bytes + 24, &size, 8);
    memcpy(bytes + 44, &architecture, 4);
    memcpy(bytes + 80, ptx, size);
    return bytes;
}

static const dim3 one = {1, 1, 1}, warp = {32, 1, 1};

static void launches(void)
{
    int host[32], n = 5, zero = 0;
    void *device = 0;
    IS(cudaMalloc(&device, sizeof host), 0);
    void *arguments[] = {&device, &n};
    IS(cudaMemset(device, 0, sizeof host), 0);
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, 0), 0);
    IS(cudaMemcpy(host, device, sizeof host, 2), 0);
    IS(host[0] == 15 && host[31] == 15 ? 0 : host[0], 0);
    int factor = 10, count;
    IS(cudaMemcpyToSymbol(&scale, &factor, 4, 0, 1), 0);
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, 0), 0);
    IS(cudaMemcpy(host, device, sizeof host, 2), 0);
    IS(host[7], 65);
    IS(cudaMemcpyFromSymbol(&count, &total, 4, 0, 2), 0);
    IS(count, 64);
    IS(cudaMemcpyToSymbol(&scale, &factor, 4, 4, 1), 1);
    IS(cudaMemcpyToSymbol(&zero, &factor, 4, 0, 1), 13);
    // A kernel that was never registered, arguments that are missing, configurations that are too large.
    IS(cudaLaunchKernel(&stand_in_nothing, one, warp, arguments, 0, 0), 98);
    IS(cudaLaunchKernel(&stand_in_add, one, warp, 0, 0, 0), 1);
    void *lacking[] = {&device, 0};
    IS(cudaLaunchKernel(&stand_in_add, one, warp, lacking, 0, 0), 1);
    dim3 none = {0, 1, 1}, large = {1 << 20, 1, 1};
    IS(cudaLaunchKernel(&stand_in_add, none, warp, arguments, 0, 0), 9);
    IS(cudaLaunchKernel(&stand_in_add, one, large, arguments, 0, 0), 9);
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 1 << 30, 0), 1);
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, (void *)0x1234), 400);
    IS(cudaPeekAtLastError(), 400);
    IS(cudaGetLastError(), 400);
    IS(cudaGetLastError(), 0);
    IS(cudaFuncGetAttributes(0, &stand_in_add), 1);
    IS(cudaFree(device), 0);
}

static void memory(void)
{
    char host[256] = {0};
    void *device = 0;
    IS(cudaMalloc(0, 4), 1);
    IS(cudaMalloc(&device, (size_t)1 << 60), 2);
    IS(cudaMalloc(&device, 256), 0);
    IS(cudaMemcpy(device, host, 257, 1), 1);
    IS(cudaMemcpy(device, 0, 16, 1), 1);
    IS(cudaMemcpy((char *)device + 200, host, 57, 1), 1);
    IS(cudaMemcpy(host, host, 16, 1), 1);
    IS(cudaMemcpy(device, host, 16, 17), 21);
    IS(cudaMemcpy2D(device, 8, host, 8, 16, 2, 1), 12);
    IS(cudaMemset(host, 0, 16), 1);
    IS(cudaFree(host), 1);
    IS(cudaFree((char *)device + 4), 1);
    IS(cudaFree(device), 0);
    IS(cudaFree(device), 1);
    IS(cudaMemset(device, 0, 16), 1);
    IS(cudaFree(0), 0);
    // Memory of both sides.
    int *both = 0, n = 2;
    IS(cudaMallocManaged((void **)&both, 128, 1), 0);
    for (int i = 0; i < 32; i++)
        both[i] = i;
    void *arguments[] = {&both, &n};
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, 0), 0);
    IS(both[31], 31 + 20);
    IS(cudaFree(both), 0);
    void *pinned = 0;
    IS(cudaMallocHost(&pinned, 64), 0);
    memset(pinned, 1, 64);
    IS(cudaFree(pinned), 1);
    IS(cudaFreeHost(pinned), 0);
    IS(cudaFreeHost(pinned), 1);
    cudaGetLastError();
}

static void streams(void)
{
    void *stream = 0, *graph = 0, *launchable = 0, *start = 0, *end = 0, *device = 0;
    int host[32] = {0}, n = 1;
    float milliseconds = -1;
    IS(cudaMalloc(&device, sizeof host), 0);
    void *arguments[] = {&device, &n};
    IS(cudaStreamCreate(&stream), 0);
    IS(cudaEventCreate(&start), 0);
    IS(cudaEventCreate(&end), 0);
    IS(cudaEventElapsedTime(&milliseconds, start, end), 400);
    IS(cudaStreamBeginCapture(stream, 0), 0);
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, stream), 0);
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, stream), 0);
    IS(cudaStreamSynchronize(stream), 900);
    IS(cudaStreamEndCapture(stream, &graph), 0);
    IS(cudaStreamEndCapture(stream, &graph), 401);
    IS(cudaMemcpy(host, device, sizeof host, 2), 0);
    IS(host[3], 0);
    IS(cudaGraphInstantiateWithFlags(&launchable, graph, 0), 0);
    IS(cudaEventRecord(start, stream), 0);
    IS(cudaGraphLaunch(launchable, stream), 0);
    IS(cudaGraphLaunch(launchable, stream), 0);
    IS(cudaEventRecord(end, stream), 0);
    IS(cudaMemcpy(host, device, sizeof host, 2), 0);
    IS(host[3], 4 * 10);
    IS(cudaEventElapsedTime(&milliseconds, start, end), 0);
    IS(milliseconds > 0, 1);
    IS(cudaGraphLaunch(graph, stream), 1);
    IS(cudaStreamDestroy(stream), 0);
    IS(cudaStreamDestroy(stream), 400);
    IS(cudaStreamSynchronize(stream), 400);
    IS(cudaEventDestroy(end), 0);
    IS(cudaEventRecord(end, 0), 400);
    IS(cudaFree(device), 0);
    cudaGetLastError();
}

static void driver(void)
{
    void *module = 0, *function = 0, *device = 0, *place = 0;
    int n = 1, host[32];
    IS(cuInit(1), 1);
    IS(cuInit(0), 0);
    IS(cuModuleLoadData(&module, "no PTX"), 200);
    IS(cuModuleLoadData(&module, "\177ELF............"), 200);
    IS(cuModuleLoadData(&module, 0), 200);
    IS(cuModuleLoadData(&module, ".version 6.3\n.target sm_75\n.entry f() { nonsense; }"), 218);
    IS(cuModuleLoadData(&module, text), 0);
    IS(cuModuleGetFunction(&function, module, "sub"), 500);
    IS(cuModuleGetFunction(&function, (void *)8, "add"), 400);
    IS(cuModuleGetFunction(&function, module, "add"), 0);
    IS(cudaMalloc(&device, sizeof host), 0);
    void *arguments[] = {&device, &n};
    IS(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0), 0);
    IS(cuLaunchKernel((void *)16, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0), 400);
    // All parameters in one buffer, of the right size and of a wrong one.
    char block[16];
    memcpy(block, &device, 8);
    memcpy(block + 8, &n, 4);
    size_t size = 12, little = 8;
    void *extra[] = {(void *)1, block, (void *)2, &size, 0}, *wrong[] = {(void *)1, block, (void *)2, &little, 0};
    IS(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, 0, extra), 0);
    IS(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, 0, wrong), 1);
    IS(cudaMemcpy(host, device, sizeof host, 2), 0);
    IS(host[9], 6);
    IS(cuGetProcAddress("cuMemAlloc", &place, 12000, 0), 0);
    IS(place != 0, 1);
    IS(cuGetProcAddress("cuNothing", &place, 12000, 0), 500);
    IS(cuModuleUnload(module), 0);
    IS(cuModuleGetFunction(&function, module, "add"), 500);
    IS(cudaFree(device), 0);
}

// The program's objects may be destroyed after the reports.
static void after(void)
{
    int code = cudaFree(0);
    if (code != 4) {
        printf("at the end cudaFree returns %d\n", code);
        _Exit(1);
    }
}

static void *work(void *unused)
{
    for (int round = 0; round < 4; round++) {
        int host[32] = {0}, n = 1;
        void *device = 0;
        if (cudaMalloc(&device, sizeof host) != 0)
            return (void *)1;
        void *arguments[] = {&device, &n};
        int code = cudaMemcpy(device, host, sizeof host, 1);
        code |= cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, 0);
        code |= cudaMemcpy(host, device, sizeof host, 2);
        code |= cudaFree(device);
        if (code != 0 || host[5] != 10)
            return (void *)1;
    }
    return unused;
}

static void threads(void)
{
    pthread_t all[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&all[i], 0, work, 0);
    for (int i = 0; i < 4; i++) {
        void *result = 0;
        pthread_join(all[i], &result);
        IS(result == 0, 1);
    }
}

// A kernel that writes past its memory stops the device until it is reset.
static void stop(void)
{
    void *device = 0;
    int n = 1;
    IS(cudaMalloc(&device, 64), 0);
    void *arguments[] = {&device, &n};
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, 0), 700);
    IS(cudaDeviceSynchronize(), 700);
    IS(cudaMalloc(&device, 64), 700);
    IS(cudaGetLastError(), 700);
    IS(cudaDeviceReset(), 0);
    IS(cudaGetLastError(), 0);
    IS(cudaFree(device), 1);
    IS(cudaMemset(device, 0, 4), 1);
    IS(cudaMalloc(&device, 128), 0);
    IS(cudaLaunchKernel(&stand_in_add, one, warp, arguments, 0, 0), 0);
    int host[32];
    IS(cudaMemcpy(host, device, sizeof host, 2), 0);
    // The constant has its first value again.
    IS(host[0], 3);
    IS(cudaFree(device), 0);
}

int main(void)
{
    atexit(after);
    Note right = {0x466243b1, 1, container(text, 0), 0}, cut = {0x466243b1, 1, container(text, (uint64_t)1 << 40), 0};
    Note wrong = {0x12345678, 1, container(text, 0), 0}, empty = {0x466243b1, 1, 0, 0};
    void *binary = __cudaRegisterFatBinary(&right);
    __cudaRegisterFunction(binary, &stand_in_add, 0, "add", -1, 0, 0, 0, 0, 0);
    __cudaRegisterVar(binary, &scale, 0, "scale", 0, 4, 1, 0);
    __cudaRegisterVar(binary, &total, 0, "total", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(binary);
    const Note *corrupt[] = {&cut, &wrong, &empty};
    for (int i = 0; i < 3; i++) {
        binary = __cudaRegisterFatBinary(corrupt[i]);
        __cudaRegisterFunction(binary, &stand_in_corrupt, 0, "add", -1, 0, 0, 0, 0, 0);
        __cudaRegisterFatBinaryEnd(binary);
    }
    __cudaRegisterFunction((void *)77, &stand_in_lost, 0, "add", -1, 0, 0, 0, 0, 0);
    IS(cudaLaunchKernel(&stand_in_corrupt, one, one, 0, 0, 0), 200);
    IS(cudaLaunchKernel(&stand_in_lost, one, one, 0, 0, 0), 98);
    IS(cudaSetDevice(1), 101);
    IS(cudaMallocMipmappedArray(), 801);
    IS(cudaDeviceEnablePeerAccess(0, 0), 217);
    IS(strcmp(cudaGetErrorName(700), "cudaErrorIllegalAddress"), 0);
    IS(strcmp(cudaGetErrorName(200), "cudaErrorInvalidKernelImage"), 0);
    cudaGetLastError();
    launches();
    memory();
    streams();
    driver();
    threads();
    stop();
    puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
