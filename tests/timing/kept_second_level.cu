// What launches and the host leave in a second-level cache that is kept: 16 lines of 128 bytes, four of each set, and no first level. Each launch
// loads a word of each of four lines, one in each set, and finds them if something has just written them whole; and the word that it adds to, of which it is the
// other way round in the first launch: its sector was written in part. At the end the first lines are gone: five others of each set have come since.
// machine: tiny
// set: l2.between-launches=kept l1.size=0
// expect: l2_misses@0 == 4 + 1
// expect: l2_hits@1 == 4 + 1
// expect: l2_sectors_completed@0 == 1
// expect: l2_misses@1 == 0
// expect: dram_read_bytes@1 == 0
// expect: cycles@1 < cycles@0
// expect: l2_hits@2 == 4 + 1
// expect: l2_hits@3 == 4 + 1
// expect: l2_hits@4 == 4 + 1
// expect: l2_hits@5 == 4 + 1
// expect: l2_hits@6 == 4 + 1
// expect: l2_misses@7 == 4
// expect: l2_write_backs@7 >= 4
#include <stdio.h>

const int words = 128, bytes = words * sizeof(int);

__global__ void sum(int *out, const int *in)
{
    out[0] += in[0] + in[32] + in[64] + in[96];
}

__device__ int variable[words];

int main()
{
    int host[words], *out, *fresh, *copied, *filled, *shared, *moved, *symbol;
    for (int i = 0; i < words; i++)
        host[i] = i;
    cudaMalloc(&out, sizeof(int));
    cudaMalloc(&fresh, bytes);
    cudaMalloc(&copied, bytes);
    cudaMalloc(&filled, bytes);
    cudaMalloc(&moved, bytes);
    cudaMallocManaged(&shared, bytes);
    cudaMemset(out, 0, sizeof(int));
    sum<<<1, 1>>>(out, fresh);
    sum<<<1, 1>>>(out, fresh);
    cudaMemcpy(copied, host, bytes, cudaMemcpyHostToDevice);
    sum<<<1, 1>>>(out, copied);
    cudaMemset(filled, 0, bytes);
    sum<<<1, 1>>>(out, filled);
    cudaMemcpyAsync(moved, copied, bytes, cudaMemcpyDeviceToDevice);
    sum<<<1, 1>>>(out, moved);
    cudaMemcpyToSymbol(variable, host, bytes);
    cudaGetSymbolAddress((void **)&symbol, variable);
    sum<<<1, 1>>>(out, symbol);
    for (int i = 0; i < words; i++)
        shared[i] = i;
    sum<<<1, 1>>>(out, shared);
    sum<<<1, 1>>>(out, fresh);
    int result;
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s\n", result == 4 * (0 + 32 + 64 + 96) ? "PASS" : "FAIL");
    return result != 4 * (0 + 32 + 64 + 96);
}
