// The half of a warp that hits goes on without the half that misses (`warp-subdivision` on memory
// divergence). In the first launch the lower half misses in the second step. In the second launch the upper
// half misses besides in the first step: the lower half does not wait for it, so that both misses are under
// way at the same time. In the third launch all miss in both steps, nobody goes on, and it takes a miss more.
// machine: gtx480
// set: instruction-cache.size=0 sm.warps=32
// set: divergence=warp-subdivision warp-subdivision.memory-divergence=true
// expect: cycles@1 < cycles@0 + (cycles@2 - cycles@0) / 4
// expect: cycles@2 > cycles@0 + 200
// expect: warp_instructions@0 > warp_instructions@2
// expect: warp_instructions@1 > warp_instructions@2
// expect: thread_instructions@0 == thread_instructions@2
// expect: thread_instructions@1 == thread_instructions@2

__global__ void steps(int *cells, int lower_first, int upper_first, int lower_then, int upper_then)
{
    bool upper = threadIdx.x >= 16;
    // A line that all find from here on.
    int warm = cells[0];
    int first = cells[warm + (upper ? upper_first : lower_first)];
    int then = cells[first + (upper ? upper_then : lower_then)];
    cells[8192 + threadIdx.x] = then;
}

int main()
{
    int *cells;
    cudaMalloc((void **)&cells, 16384 * sizeof(int));
    cudaMemset(cells, 0, 16384 * sizeof(int));
    steps<<<1, 32>>>(cells, 0, 0, 1024, 0);
    steps<<<1, 32>>>(cells, 0, 2048, 1024, 0);
    steps<<<1, 32>>>(cells, 2048, 2048, 1024, 1024);
    cudaDeviceSynchronize();
    return 0;
}
