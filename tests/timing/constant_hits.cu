// A chain of loads from constant memory, all lanes from one word: each finds the offset of the next. It is
// added to the ring's address: from issue to issue 1, 1 to read the operand, and 4 of the pipe. A load: 1,
// and 1 to read its operand; 1 until the load/store unit has the address; 26 of the constant cache. Both launches miss once: the ring is a line of 64 bytes.
// machine: gtx480
// set: instruction-cache.size=0
// expect: cycles@1 - cycles@0 == 1000 * ((1 + 1 + 4) + (1 + 1 + 1 + 26))
// expect: constant_misses == 1
__constant__ int ring[16];

__global__ void follow(int steps, int *end)
{
    int at = end[threadIdx.x];
    for (int i = 0; i < steps; i++)
        at = *(const int *)((const char *)ring + at);
    end[threadIdx.x] = at;
}

int main()
{
    int next[16], *end;
    for (int i = 0; i < 16; i++)
        next[i] = (i + 1) % 16 * sizeof(int);
    cudaMemcpyToSymbol(ring, next, sizeof(next));
    cudaMalloc(&end, 32 * sizeof(int));
    follow<<<1, 32>>>(1000, end);
    cudaMemset(end, 0, 32 * sizeof(int));
    follow<<<1, 32>>>(2000, end);
    return cudaDeviceSynchronize();
}
