// A launch that cannot be is an error that cudaGetLastError answers once; the kernel does not run.
#include <stdio.h>

__global__ void mark(int *out) { atomicAdd(out, 1); }

void report(const char *what)
{
    cudaError_t peeked = cudaPeekAtLastError();
    cudaError_t first = cudaGetLastError();
    cudaError_t second = cudaGetLastError();
    printf("%s: %d %d %d %s %s\n", what, peeked, first, second, cudaGetErrorString(first), cudaGetErrorName(first));
}

int main()
{
    int *out, host;
    cudaMalloc((void **)&out, sizeof host);
    mark<<<2000, 1>>>(out);
    report("good");
    mark<<<1, 2000>>>(out);
    report("2000 threads");
    mark<<<1, dim3(64, 64)>>>(out);
    report("64 x 64 threads");
    mark<<<0, 4>>>(out);
    report("no blocks");
    mark<<<4, 0>>>(out);
    report("no threads");
    mark<<<dim3(2, 0, 2), 4>>>(out);
    report("no blocks in y");
    mark<<<1, 4>>>(out);
    report("good again");
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    if (cudaGetLastError() != cudaSuccess)
        return 1;
    return 0;
}

// out: good: 0 0 0 no error cudaSuccess
// out: 2000 threads: 9 9 0 invalid configuration argument cudaErrorInvalidConfiguration
// out: 64 x 64 threads: 9 9 0 invalid configuration argument cudaErrorInvalidConfiguration
// out: no blocks: 9 9 0 invalid configuration argument cudaErrorInvalidConfiguration
// out: no threads: 9 9 0 invalid configuration argument cudaErrorInvalidConfiguration
// out: no blocks in y: 9 9 0 invalid configuration argument cudaErrorInvalidConfiguration
// out: good again: 0 0 0 no error cudaSuccess
// out: 2004
