// A chain as in open_rows.cu, but between two rows of one bank: 65536 bytes of a channel, 6 x 65536 of addresses, apart.
// Each load finds the other row open. A precharge takes the place of the read, rp 12 later the
// activation, rcd 12 later the read: 24 more than for an open row. The row has been open for longer
// than ras 28, as loads are 263 cycles apart. The store of the end opens a row of its own.
// machine: gtx480
// set: instruction-cache.size=0 l1.size=0 l2.size=0 dram.clock-mhz=700 dram.timing.refi=0
// expect: cycles@1 - cycles@0 == 500 * (124 + 1 + 12 + 12 + 12 + 2 + 100)
// expect: dram_row_hits == 0
// expect: dram_row_misses == 1000 + 1
// expect: dram_activates == 1000 + 1
// expect: dram_precharges == 999
#include "chain.h"

int main()
{
    return chains(2, 6 * 65536, 500);
}
