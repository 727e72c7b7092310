// A chain of loads from memory that find their row open: the ring of 8 lines, 1536 bytes apart (6
// partitions x 256), lies in one row each of two banks of one channel; no caches, no refresh, and the
// command clock at the slices' frequency, so that everything is whole. The store of the end opens a row.
// One more load takes 124 as in second_level_hits.cu, and from the lookup on: 1 until the command, cl
// 12, a burst of 2, and 100 of the controller: 115.
// machine: gtx480
// set: instruction-cache.size=0 l1.size=0 l2.size=0 dram.clock-mhz=700 dram.timing.refi=0
// expect: cycles@1 - cycles@0 == 500 * (124 + 1 + 12 + 2 + 100)
// expect: dram_row_misses == 2 + 1
#include "chain.h"

int main()
{
    return chains(8, 1536, 500);
}
