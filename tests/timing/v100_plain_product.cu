// A product of 128 x 128 floats without tiles on `v100`, as beside the well-known simulator in docs/timing.md, which says these cycles: a
// grid of 8 x 8 blocks of 16 x 16 threads. First as written, where the compiler unrolls the loop; then with the loop as it stands.
// The clocks, and the latency of a launch, are those of that simulator's configuration.
// machine: v100
// set: clock-mhz=1132 interconnect.clock-mhz=1132 l2.clock-mhz=1132 dram.clock-mhz=850 sm.launch-latency=5000
// expect: issue_slots@0 / 320 == 15366
// expect: issue_slots@1 / 320 == 55861
#define N 128

__global__ void as_written(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void rolled(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, N * N * sizeof(float));
    cudaMalloc(&b, N * N * sizeof(float));
    cudaMalloc(&c, N * N * sizeof(float));
    dim3 blocks(N / 16, N / 16), threads(16, 16);
    as_written<<<blocks, threads>>>(a, b, c, N);
    rolled<<<blocks, threads>>>(a, b, c, N);
    return cudaDeviceSynchronize();
}
