// A barrier of all blocks: each round reads what another block wrote in the round before.

#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void rounds(int *values, int n, int count)
{
    cg::grid_group grid = cg::this_grid();
    int own = (int)grid.thread_rank();
    for (int round = 0; round < count; round++) {
        int value = values[(own + 37) % n];
        grid.sync();
        values[own] = value + 1;
        grid.sync();
    }
}

int main()
{
    int *values, sms, each, faults = 0;
    dim3 block(64);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    faults += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, rounds, block.x, 0) != cudaSuccess;
    dim3 grid(each * sms < 24 ? each * sms : 24);
    int n = grid.x * block.x, count = 3;
    cudaMallocManaged(&values, n * sizeof(int));
    for (int i = 0; i < n; i++)
        values[i] = i;
    void *arguments[] = {&values, &n, &count};
    faults += cudaLaunchCooperativeKernel(rounds, grid, block, arguments) != cudaSuccess;
    faults += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < n; i++)
        faults += values[i] != (i + 37 * count) % n + count;
    grid.x = each * sms + 1;
    faults += cudaLaunchCooperativeKernel(rounds, grid, block, arguments) != cudaErrorCooperativeLaunchTooLarge;
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
