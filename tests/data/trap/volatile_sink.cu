// status: 241
// out: 0
// err: error[R0001]
// err: null pointer
// err: volatile_sink.cu:13
// A value that goes into a volatile variable is needed: the loads are made, and fault.
#include <stdio.h>

__global__ void touch(const int *from, int n)
{
    volatile int sink;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sink = from[i];
}

int main()
{
    int *from;
    cudaMalloc(&from, 256 * sizeof(int));
    touch<<<1, 32>>>(from, 256);
    printf("%d\n", cudaDeviceSynchronize());
    touch<<<1, 32>>>(0, 256);
    printf("%d\n", cudaDeviceSynchronize());
    return 0;
}
