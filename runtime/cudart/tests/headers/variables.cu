// Instances of a variable template have one name in the source; each is a variable of its own.

#include <cstdio>
#include <cuda_runtime.h>

template <class T> __constant__ T factor[2];
template <class T> __device__ T sum;

template <class T> __global__ void scale(T value) { sum<T> = value * factor<T>[1]; }

template <class T> static int check(T value)
{
    T factors[2] = {0, 3}, found = 0;
    int faults = cudaMemcpyToSymbol(factor<T>, factors, sizeof factors) != cudaSuccess;
    scale<<<1, 1>>>(value);
    faults += cudaMemcpyFromSymbol(&found, sum<T>, sizeof found) != cudaSuccess;
    return faults + (found != value * 3);
}

int main()
{
    int faults = check(1.5) + check(2.5f) + check<short>(7);
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
