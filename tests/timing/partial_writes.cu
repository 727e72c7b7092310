// What is read after it was written: 1024 sectors of 32 bytes. Sectors that were written wholly, by one
// store of a warp or by two that leave out every other byte each, are not fetched. Those of which a byte
// is missing are: one fetch each, 32 bytes. There is no first level, so that all loads come to the second.
// machine: gtx480
// set: l1.size=0 instruction-cache.size=0
// expect: dram_read_bytes@0 == 0
// expect: l2_sectors_completed@0 == 0
// expect: dram_read_bytes@1 == 0
// expect: dram_read_bytes@2 == 1024 * 32
// expect: l2_sectors_completed@2 == 1024
#define SIZE (1024 * 32)

__global__ void words(volatile int *at, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    at[i] = i;
    if (at[i] != i)
        *out = 1;
}

__global__ void even_and_odd(volatile char *at, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    at[2 * i] = 1;
    at[2 * i + 1] = 2;
    if (at[2 * i] + at[2 * i + 1] != 3)
        *out = 1;
}

__global__ void all_but_one(volatile char *at, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 32 != 31)
        at[i] = 1;
    if (at[i] != (i % 32 != 31))
        *out = 1;
}

int main()
{
    char *at;
    int *out, result;
    cudaMalloc(&at, SIZE);
    cudaMalloc(&out, sizeof(int));
    words<<<SIZE / 4 / 256, 256>>>((int *)at, out);
    even_and_odd<<<SIZE / 2 / 256, 256>>>(at, out);
    cudaMemset(at, 0, SIZE);
    all_but_one<<<SIZE / 256, 256>>>(at, out);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    return result;
}
