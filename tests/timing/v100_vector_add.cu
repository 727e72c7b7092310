// Vectors of 524,288 floats are added on `v100`, as beside the well-known simulator in docs/timing.md, which says these cycles: a grid of
// 2,048 blocks of 256 threads. The clocks, and the latency of a launch, are those of that simulator's configuration.
// machine: v100
// set: clock-mhz=1132 interconnect.clock-mhz=1132 l2.clock-mhz=1132 dram.clock-mhz=850 sm.launch-latency=5000
// expect: issue_slots / 320 == 12161
// expect: dram_read_bytes >= 4 * 1024 * 1024
// expect: issue_slots / 320 >= 5000 + dram_read_bytes / (64 * 16) * 1132 / 850
#define N 524288

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&b, N * sizeof(float));
    cudaMalloc(&c, N * sizeof(float));
    add<<<N / 256, 256>>>(a, b, c, N);
    return cudaDeviceSynchronize();
}
