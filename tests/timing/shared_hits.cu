// A chain of loads from shared memory: each finds the offset of the next. It is added to the ring's
// address: from issue to issue 1, 1 to read the operand, and 4 of the pipe. A load: 1, and 1 to read its
// operand; 1 until the load/store unit has the address; 26 of shared memory.
// machine: gtx480
// set: instruction-cache.size=0
// expect: cycles@1 - cycles@0 == 1000 * ((1 + 1 + 4) + (1 + 1 + 1 + 26))
// expect: shared_bank_conflicts == 0
__global__ void follow(int steps, int *end)
{
    __shared__ int ring[32];
    ring[threadIdx.x] = (threadIdx.x + 1) % 32 * sizeof(int);
    int at = threadIdx.x * sizeof(int);
    for (int i = 0; i < steps; i++)
        at = *(int *)((char *)ring + at);
    end[threadIdx.x] = at;
}

int main()
{
    int *end;
    cudaMalloc(&end, 32 * sizeof(int));
    follow<<<1, 32>>>(1000, end);
    follow<<<1, 32>>>(2000, end);
    return cudaDeviceSynchronize();
}
