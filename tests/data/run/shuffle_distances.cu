// Five bits of the distance, the bits or the lane of a shuffle count (PTX ISA, `shfl`): 33 is 1, 32 is 0, -1 is 31.
// machines: gtx480 fx5800
#include <stdio.h>

__global__ void shuffle(int *out, int which)
{
    const int lane = threadIdx.x;
    out[lane] = __shfl_down_sync(0xffffffff, lane, which) + 100 * __shfl_up_sync(0xffffffff, lane, which)
        + 10000 * __shfl_xor_sync(0xffffffff, lane, which);
    out[32 + lane] = __shfl_sync(0xffffffff, lane, which) + 100 * __shfl_down_sync(0xffffffff, lane, which, 8)
        + 10000 * __shfl_sync(0xffffffff, lane, which, 4);
}

__global__ void constant(int *out)
{
    const int lane = threadIdx.x;
    out[lane] = __shfl_down_sync(0xffffffff, lane, 33) + 100 * __shfl_up_sync(0xffffffff, lane, -31)
        + 10000 * __shfl_xor_sync(0xffffffff, lane, 97);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    const int which[6] = {1, 31, 32, 33, 1025, -1};
    for (int i = 0; i < 6; i++) {
        shuffle<<<1, 32>>>(out, which[i]);
        cudaDeviceSynchronize();
        printf("%d: %d %d %d %d %d\n", which[i], out[0], out[5], out[31], out[32], out[32 + 13]);
    }
    constant<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[17]);
    return 0;
}

// out: 1: 10001 40406 303031 10101 131401
// out: 31: 310031 260505 31 30031 151331
// out: 32: 0 50505 313131 0 121300
// out: 33: 10001 40406 303031 10101 131401
// out: 1025: 10001 40406 303031 10101 131401
// out: -1: 310031 260505 31 30031 151331
// out: 10001 161618
