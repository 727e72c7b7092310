// As latencies.cu, with 32 warps: each of 64 more operations of a warp occupies the special pipe, of which
// there is one, for its initiation interval: 4 for a float's quotient or power, 8 for a double's sum, 130 for
// its quotient. The end, when few warps are left, may cost some cycles.
// machine: gtx480
// set: instruction-cache.size=0
// expect: cycles@1 - cycles@0 >= 64 * 32 * 4
// expect: cycles@1 - cycles@0 <= 64 * 32 * 4 * 1.01
// expect: cycles@3 - cycles@2 >= 64 * 32 * 4
// expect: cycles@3 - cycles@2 <= 64 * 32 * 4 * 1.01
// expect: cycles@5 - cycles@4 >= 64 * 32 * 8
// expect: cycles@5 - cycles@4 <= 64 * 32 * 8 * 1.01
// expect: cycles@7 - cycles@6 == 64 * 32 * 130
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
    chains<DivideFloat>((float *)to);
    chains<Special>((float *)to);
    chains<AddDouble>((double *)to);
    chains<DivideDouble>((double *)to);
    return cudaDeviceSynchronize();
}
