// Loads of 256 rows of one channel, each from another row: first all from one bank, which opens a row
// every rc 40 cycles, then from its 16 banks, which open one every rrd 6 cycles (16 x 6 is more than rc),
// or 7 when a read takes the cycle. The loads come from 16 cores, each of which wants another bank: the
// credits between one core and one channel would not do. The way there and back, a closed row and what
// else happens once take less than 600 cycles. The command clock has the frequency of the rest. An address
// of the channel is a sixth of the pointer; its bits 8, 13, 14 and 15 are the bank, those from 16 on the
// row.
// machine: gtx480
// set: instruction-cache.size=0 sms=16 dram.clock-mhz=700 dram.timing.refi=0
// expect: cycles@0 >= 255 * 40
// expect: cycles@0 <= 255 * 40 + 600
// expect: cycles@1 >= 255 * 6
// expect: cycles@1 <= 255 * 7 + 600
// expect: dram_row_misses@0 >= 256
// expect: dram_row_misses@1 >= 256
#define ROWS 256

__global__ void rows(const char *from, int banks, int *to)
{
    int i = threadIdx.x * 16 + blockIdx.x, bank = i % banks;
    int address = i << 16 | (bank & 6) << 13 | (bank >> 3 & 1) << 13 | (bank & 1) << 8;
    to[i] = from[6 * address];
}

int main()
{
    char *from;
    int *to;
    cudaMalloc(&from, 6 * ROWS << 16);
    cudaMalloc(&to, ROWS * sizeof(int));
    rows<<<ROWS / 16, 16>>>(from, 1, to);
    rows<<<ROWS / 16, 16>>>(from, 16, to);
    return cudaDeviceSynchronize();
}
