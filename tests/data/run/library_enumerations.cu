// CUDA's enumerations are types of their own, which overloads and specialisations tell from integers.
#include <cstdio>
#include <iostream>

int of(unsigned) { return 1; }
int of(cudaError_t) { return 2; }
int of(cudaMemcpyKind) { return 3; }

template <class T> struct number_of { static const int value = 0; };
template <> struct number_of<int> { static const int value = 1; };
template <> struct number_of<cudaError> { static const int value = 2; };
template <> struct number_of<cudaDeviceAttr> { static const int value = 3; };

std::ostream &operator<<(std::ostream &to, cudaError_t error) { return to << cudaGetErrorString(error); }

template <class T> bool is_negative(T value) { return value < T(0); }

struct result {
    int code;
    result(int code) : code(code) {}
    result(cudaError_t error) : code(-static_cast<int>(error)) {}
};

__device__ int on_device(int) { return 4; }
__device__ int on_device(cudaError_t) { return 5; }
__global__ void tell(int *out) { out[0] = on_device(1) * 10 + on_device(cudaSuccess); }

cudaError_t attempt(bool good) { return good ? cudaSuccess : cudaErrorInvalidValue; }

int main()
{
    printf("%d %d %d\n", of(0u), of(cudaGetLastError()), of(cudaMemcpyHostToDevice));
    printf("%d %d %d %d\n", number_of<unsigned>::value, number_of<int>::value, number_of<cudaError_t>::value,
           number_of<cudaDeviceAttr>::value);
    std::cout << attempt(false) << ' ' << 1 << ' ' << cudaMemcpyDeviceToHost << std::endl;
    printf("%d %d\n", result(7).code, result(cudaErrorMemoryAllocation).code);

    enum cudaMemcpyKind kind = cudaMemcpyDeviceToDevice;
    cudaError error = cudaError::cudaErrorInvalidDevice;
    auto same = (cudaError_t)101;
    printf("%d %d %d %d\n", kind, error == same, sizeof(error) == sizeof(int), is_negative(error));
    switch (attempt(false)) {
    case cudaSuccess: puts("good"); break;
    case cudaErrorInvalidValue: puts("invalid value"); break;
    default: puts("other");
    }
    int status = cudaErrorNotReady;
    int flags = cudaStreamNonBlocking | cudaHostAllocMapped;
    printf("%d %d %s\n", status, flags, cudaGetErrorName(cudaErrorNotReady));

    for (cudaDeviceAttr which : {cudaDevAttrMaxBlockDimZ, cudaDevAttrMaxThreadsPerBlock}) {
        int value = 0;
        error = cudaDeviceGetAttribute(&value, which, 0);
        printf("%d %d\n", value, error);
    }
    int *out, numbers = 0;
    if (cudaMalloc(&out, sizeof(int)) || (error = cudaGetLastError())) return 1;
    tell<<<1, 1>>>(out);
    error = cudaMemcpy(&numbers, out, sizeof(int), kind = cudaMemcpyDeviceToHost);
    printf("%d %s\n", numbers, error == cudaSuccess ? "copied" : cudaGetErrorString(error));
    cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
    cudaFuncCache cache = cudaFuncCachePreferL1;
    cudaMemoryAdvise advice = cudaMemAdviseSetReadMostly;
    cudaFuncAttribute attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    cudaLimit limit = cudaLimitMallocHeapSize;
    cudaComputeMode mode = cudaComputeModeProhibited;
    cudaSharedCarveout carveout = cudaSharedmemCarveoutDefault;
    printf("%d %d %d %d %d %d %d\n", banks, cache, advice, attribute, limit, mode, carveout);
    cudaFree(out);
}
// out: 1 2 3
// out: 0 1 2 3
// out: invalid argument 1 2
// out: 7 -2
// out: 3 1 1 0
// out: invalid value
// out: 600 3 cudaErrorNotReady
// out: 64 0
// out: 1024 0
// out: 45 copied
// out: 2 2 1 8 2 2 -1
