// Vectors of 524,288 floats are added, as beside the well-known simulator in docs/timing.md, which says these
// cycles. 6 MiB have to be moved, 4 MiB of them before the last store; the channels move 6 x 32 bytes in a cycle of
// 925 MHz. An issue slot is a cycle of one of the 30 schedulers.
// machine: gtx480
// expect: issue_slots / 30 == 26834
// expect: dram_read_bytes >= 4 * 1024 * 1024
// expect: issue_slots / 30 >= (dram_read_bytes + dram_write_bytes) / (6 * 32) * 700 / 925
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
