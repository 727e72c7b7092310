// A copy is as fast as memory is: 16 MiB are moved, of which the last 768 KiB of writes stay in the
// second-level cache. A channel moves 2 chips x 4 bytes x 4 = 32 bytes in a cycle of the command clock.
// What is lost: a refresh takes rp + rfc of every refi, 114 of 3607 cycles or 3.2 %; a change from
// writes to reads leaves the bus idle for cdlr + cl = 17 cycles and one back for turn = 2, after each
// drain of 32 writes of 2 bursts of 2 cycles and as many reads: 19 of 275 cycles or 6.9 %; the way
// there and back at the ends, and rows that open too late. All lines that are moved are whole.
// machine: gtx480
// set: instruction-cache.size=0
// expect: dram_read_bytes == 8 * 1024 * 1024
// expect: dram_read_bytes + dram_write_bytes >= 0.85 * 32 * dram_capacity_cycles
// expect: dram_read_bytes + dram_write_bytes <= 32 * dram_capacity_cycles
// expect: dram_read_bytes + dram_write_bytes == 32 * dram_busy_cycles
#define N (1 << 21)

__global__ void copy(const float *from, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

int main()
{
    float *from, *to;
    cudaMalloc(&from, N * sizeof(float));
    cudaMalloc(&to, N * sizeof(float));
    copy<<<N / 256, 256>>>(from, to);
    return cudaDeviceSynchronize();
}
