// What samples of CUDA do: bounds computed of template arguments, `extern "C"` constants that a header
// announces, old votes, shared variables outside functions, constructors by default, operators as words.
#include <stdio.h>
#include <string.h>
#include <strings.h>

extern "C" const unsigned LIMIT;
extern "C" const unsigned LIMIT = 3 * 1'000;
extern "C" {
const int other = 0x1'F;
}

void graphics(cudaGraphicsResource **resources) { resources[0] = NULL; }

template <int BM, int BN, int TM, int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1) bounded(int *out)
{
    out[threadIdx.x] = BM / TM * 100 + blockDim.x;
}

struct packed {
    packed() = default;
    __device__ explicit packed(int value) : first(value), second(value + 1) {}
    int first, second;
};

__constant__ unsigned table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__shared__ unsigned kept[32];
static __shared__ unsigned total;

__device__ unsigned neighbour() { return kept[(threadIdx.x + 1) % 32]; }

__global__ void mixed(unsigned *out)
{
    // `__constant__` is where, not `const`.
    unsigned *row = &table[1][0];
    packed empty, full(7);
    kept[threadIdx.x] = threadIdx.x * 10;
    if (threadIdx.x == 31)
        total = row[2];
    __syncthreads();
    bool odd = threadIdx.x % 2 == 1;
    unsigned votes = any(odd) * 2 + all(odd) + __ffs(8) * 100;
    out[threadIdx.x] = neighbour() + row[threadIdx.x % 3] + total + empty.first + full.second;
    if (threadIdx.x == 0 and not odd)
        out[32] = votes bitor 4096;
}

__global__ void apart(unsigned *out)
{
    // The same names, for this kernel's blocks.
    if (threadIdx.x == 0)
        total = 5;
    __syncthreads();
    out[threadIdx.x] = total + kept[threadIdx.x];
}

int main()
{
    unsigned h[33], *d;
    cudaMalloc(&d, sizeof h);
    cudaFuncSetAttribute(bounded<8, 8, 2, 2>, cudaFuncAttributePreferredSharedMemoryCarveout,
                         cudaSharedmemCarveoutMaxShared);
    bounded<8, 8, 2, 2><<<1, 16>>>((int *)d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%u %u %d %d\n", h[15], LIMIT, other, ffs(0x40) + ffsll(1ll << 40));
    bounded<8, 8, 2, 2><<<1, 17>>>((int *)d);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    mixed<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%u %u %u %u\n", h[0], h[1], h[31], h[32]);
    apart<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%u %u\n", h[0], h[31]);
}
// out: 416 3000 31 48
// out: cudaErrorLaunchOutOfResources
// out: 28 39 19 4498
// out: 5 5
