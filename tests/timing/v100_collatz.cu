// The steps of the Collatz sequence from each of 65,536 starts on `v100`, as beside the well-known simulator in docs/timing.md, which says
// these cycles: a grid of 256 blocks of 256 threads, whose warps' threads take different numbers of steps. The clocks, and the
// latency of a launch, are those of that simulator's configuration. An issue slot is a cycle of one of the 320
// schedulers, each of which issues at most one instruction in it.
// machine: v100
// set: clock-mhz=1132 interconnect.clock-mhz=1132 l2.clock-mhz=1132 dram.clock-mhz=850 sm.launch-latency=5000
// expect: issue_slots / 320 == 35682
// expect: issue_slots / 320 >= 5000 + warp_instructions / 320
#define N 65536

__global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned value = i + 1;
    int count = 0;
    while (value != 1) {
        value = value & 1 ? 3 * value + 1 : value / 2;
        count++;
    }
    steps[i] = count;
}

int main()
{
    int *steps;
    cudaMalloc(&steps, N * sizeof(int));
    collatz<<<N / 256, 256>>>(steps, N);
    return cudaDeviceSynchronize();
}
