// Chains of operations, each of which needs the one before: in each pair of launches the second does 64
// more of an operation. From issue to issue an operation takes 1, then a cycle for each word that it
// reads of registers (the second operand is a parameter, and no register), and the latency of its unit.
// machine: gtx480
// set: instruction-cache.size=0
// expect: cycles@1 - cycles@0 == 64 * (1 + 1 + 4)
// expect: cycles@3 - cycles@2 == 64 * (1 + 1 + 4)
// expect: cycles@5 - cycles@4 == 64 * (1 + 1 + 145)
// expect: cycles@7 - cycles@6 == 64 * (1 + 1 + 5)
// expect: cycles@9 - cycles@8 == 64 * (1 + 1 + 39)
// expect: cycles@11 - cycles@10 == 64 * (1 + 1 + 39)
// expect: cycles@13 - cycles@12 == 64 * (1 + 2 + 8)
// expect: cycles@15 - cycles@14 == 64 * (1 + 2 + 330)
#include "operations.h"

template <class Operation, class T> void chains(T *to)
{
    chain<Operation, T, 64><<<1, 32>>>(3, to);
    chain<Operation, T, 128><<<1, 32>>>(3, to);
}

int main()
{
    void *to;
    cudaMalloc(&to, 32 * sizeof(double));
    chains<Add>((int *)to);
    chains<Multiply>((int *)to);
    chains<Divide>((int *)to);
    chains<AddFloat>((float *)to);
    chains<DivideFloat>((float *)to);
    chains<Special>((float *)to);
    chains<AddDouble>((double *)to);
    chains<DivideDouble>((double *)to);
    return cudaDeviceSynchronize();
}
