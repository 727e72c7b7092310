// As latencies.cu, with 32 warps, 16 of each scheduler, which is more than a latency of 6 or 7 has room for:
// each of 64 more operations of a warp takes an issue slot of one of the 2 schedulers; a product occupies
// one of the 2 simple pipes for its initiation interval of 2. Under greedy-then-oldest the oldest 6 or 7
// warps would be through first, and the last few could not fill the slots.
// machine: gtx480
// set: instruction-cache.size=0 scheduler=loose-round-robin
// expect: cycles@1 - cycles@0 == 64 * 32 / 2
// expect: cycles@3 - cycles@2 == 64 * 32 * 2 / 2
// expect: cycles@5 - cycles@4 >= 64 * 32 / 2
// expect: cycles@5 - cycles@4 <= 64 * 32 / 2 * 1.05
#include "operations.h"

template <class Operation, class T> void chains(T *to)
{
    chain<Operation, T, 64><<<1, 1024>>>(3, to);
    chain<Operation, T, 128><<<1, 1024>>>(3, to);
}

int main()
{
    void *to;
    cudaMalloc(&to, 1024 * sizeof(double));
    chains<Add>((int *)to);
    chains<Multiply>((int *)to);
    chains<AddFloat>((float *)to);
    return cudaDeviceSynchronize();
}
