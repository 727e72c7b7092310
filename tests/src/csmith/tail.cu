// The program on the host, and on the device with other start values in each group of four lanes.
const int COUNT = 64;

#ifdef __CUDACC__
__global__ void on_device(uint64_t *sums)
{
    Program program;
    sums[threadIdx.x] = program.run(threadIdx.x / 4);
}
#endif

int main()
{
    static uint64_t sums[COUNT];
    for (int start = 0; start < COUNT / 4; start++) {
        Program program;
        uint64_t sum = program.run(start);
        for (int lane = 0; lane < 4; lane++)
            sums[4 * start + lane] = sum;
        printf("host %d: %016llx\n", start, (unsigned long long)sum);
    }
#ifdef __CUDACC__
    uint64_t *device;
    cudaMalloc(&device, sizeof sums);
    on_device<<<1, COUNT>>>(device);
    cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(device);
#endif
    for (int at = 0; at < COUNT; at++)
        printf("thread %d: %016llx\n", at, (unsigned long long)sums[at]);
}
