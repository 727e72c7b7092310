// A slice performs one operation a cycle on one address, one after the other: 32 lanes of 64 warps on one
// address take 2048 cycles. On 32 neighbouring addresses the lanes of a warp need one cycle, and it is
// the port that counts: a request of 8 + 32 x 8 bytes takes 7 cycles at 40 a cycle: 448, and as many for the
// replies, which go at the same time. The way there and back takes less than 500.
// machine: gtx480
// set: instruction-cache.size=0
// expect: cycles@0 >= 2048
// expect: cycles@0 <= 2048 + 500
// expect: cycles@1 >= 448
// expect: cycles@1 <= 448 + 500
// expect: atomic_operations == 2048
__global__ void add(int *to, int step)
{
    atomicAdd(to + threadIdx.x % 32 * step, 1);
}

int main()
{
    int *to;
    cudaMalloc(&to, 32 * sizeof(int));
    add<<<16, 128>>>(to, 0);
    add<<<16, 128>>>(to, 1);
    return cudaDeviceSynchronize();
}
