// machine: gtx480
// set: sms=1 sm.warp-width=16 pipes.simple.lanes=4 cycle-compression=scc
// Table 2 of Vaidya et al., "SIMD divergence optimization through intra-warp compaction" (ISCA 2013), as
// the paper measures it: a loop in every path of so many nested branches. Two launches of a level differ in
// rounds of the loop only, so that what the second takes more is all executed under the level's masks.
// Without compression a path of L1 takes 4 passes; all of them are 2 to 16 times that.
// L1, 5555 and AAAA: nothing, nothing, 50 % by swizzling
// expect: execution_cycles_saved_half@1 == execution_cycles_saved_half@0
// expect: execution_cycles_saved_groups@1 == execution_cycles_saved_groups@0
// expect: execution_cycles_saved_swizzle@1 - execution_cycles_saved_swizzle@0 == execution_cycles@1 - execution_cycles@0
// L2, 1111 and the others: 75 % by swizzling, three times what is left
// expect: execution_cycles_saved_half@3 == execution_cycles_saved_half@2
// expect: execution_cycles_saved_groups@3 == execution_cycles_saved_groups@2
// expect: execution_cycles_saved_swizzle@3 - execution_cycles_saved_swizzle@2 == 3 * (execution_cycles@3 - execution_cycles@2)
// L3, 0101 and the others: 50 % as idle groups, 25 % by swizzling
// expect: execution_cycles_saved_half@5 == execution_cycles_saved_half@4
// expect: execution_cycles_saved_groups@5 - execution_cycles_saved_groups@4 == 2 * (execution_cycles@5 - execution_cycles@4)
// expect: execution_cycles_saved_swizzle@5 - execution_cycles_saved_swizzle@4 == execution_cycles@5 - execution_cycles@4
// L4, one lane: 50 % as the idle half, 25 % as idle groups
// expect: execution_cycles_saved_half@7 - execution_cycles_saved_half@6 == 2 * (execution_cycles@7 - execution_cycles@6)
// expect: execution_cycles_saved_groups@7 - execution_cycles_saved_groups@6 == execution_cycles@7 - execution_cycles@6
// expect: execution_cycles_saved_swizzle@7 == execution_cycles_saved_swizzle@6
// Every round of every path was executed: the rounds of L1 to L4 are 2, 4, 8 and 16 times as many, and
// what is left of them 1/2, 1/4, 1/4 and 1/4.
// expect: execution_cycles@3 - execution_cycles@2 == execution_cycles@1 - execution_cycles@0
// expect: execution_cycles@5 - execution_cycles@4 == 2 * (execution_cycles@1 - execution_cycles@0)
// expect: execution_cycles@7 - execution_cycles@6 == 4 * (execution_cycles@1 - execution_cycles@0)
#include <cstdio>

__global__ void paths(int *out, int level, int rounds)
{
    int x = threadIdx.x;
    for (int path = 0; path < 1 << level; path++) {
        if ((threadIdx.x & ((1 << level) - 1)) == path) {
#pragma unroll 1
            for (int i = 0; i < rounds; i++)
                x = x * 3 + i;
        }
    }
    out[threadIdx.x] = x;
}

int main()
{
    int *out;
    cudaMalloc(&out, 16 * sizeof(int));
    for (int level = 1; level <= 4; level++) {
        paths<<<1, 16>>>(out, level, 10);
        paths<<<1, 16>>>(out, level, 110);
    }
    cudaDeviceSynchronize();
    return 0;
}
