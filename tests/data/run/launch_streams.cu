// The stream of a launch is evaluated, after the bytes of shared memory and before the arguments; one that is gone is an error.
#include <stdio.h>

int turn;

int next(const char *what)
{
    printf("%s %d\n", what, ++turn);
    return turn;
}

cudaStream_t stream_of(cudaStream_t stream)
{
    next("stream");
    return stream;
}

__global__ void set(int *x, int value)
{
    *x = value;
}

int main()
{
    int *x, value = 0;
    cudaStream_t stream;
    cudaMalloc(&x, sizeof(int));
    cudaStreamCreate(&stream);
    set<<<next("grid"), next("block"), next("shared"), stream_of(stream)>>>(x, next("value"));
    cudaMemcpyAsync(&value, x, sizeof(int), cudaMemcpyDeviceToHost, stream);
    printf("%d %s\n", value, cudaGetErrorName(cudaGetLastError()));
    cudaStreamDestroy(stream);
    set<<<1, 1, 0, stream>>>(x, 7);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    set<<<1, 1, 0, cudaStreamPerThread>>>(x, 8);
    set<<<1, 1, 0, nullptr>>>(x, 9);
    cudaMemcpy(&value, x, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %s\n", value, cudaGetErrorName(cudaGetLastError()));
    cudaFree(x);
}

// out: grid 1
// out: block 2
// out: shared 3
// out: stream 4
// out: value 5
// out: 5 cudaSuccess
// out: cudaErrorInvalidResourceHandle
// out: 9 cudaSuccess
