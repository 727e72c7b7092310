// Chains of loads from shared memory, whose lanes are 1, 2, 4, 8, 16 and 32 words apart: of 32 banks they
// meet in 32, 16, 8, 4, 2 and 1, so that a load takes 1, 2, 4, 8, 16 and 32 passes, one a cycle. What
// else a load takes is the same for all. 32 stores fill the ring without conflict.
// machine: gtx480
// set: instruction-cache.size=0
// expect: cycles@1 - cycles@0 == 1000 * (2 - 1)
// expect: cycles@2 - cycles@0 == 1000 * (4 - 1)
// expect: cycles@3 - cycles@0 == 1000 * (8 - 1)
// expect: cycles@4 - cycles@0 == 1000 * (16 - 1)
// expect: cycles@5 - cycles@0 == 1000 * (32 - 1)
// expect: shared_passes@0 == 32 + 1000
// expect: shared_passes@3 == 32 + 8 * 1000
// expect: shared_passes@5 == 32 + 32 * 1000
__global__ void follow(int stride, int *end)
{
    __shared__ int ring[1024];
    for (int i = threadIdx.x; i < 1024; i += 32)
        ring[i] = i * sizeof(int);
    int at = threadIdx.x * stride * sizeof(int);
    for (int i = 0; i < 1000; i++)
        at = *(int *)((char *)ring + at);
    end[threadIdx.x] = at;
}

int main()
{
    int *end;
    cudaMalloc(&end, 32 * sizeof(int));
    for (int stride = 1; stride <= 32; stride *= 2)
        follow<<<1, 32>>>(stride, end);
    return cudaDeviceSynchronize();
}
