// A chain of loads that hit in the second-level cache, without a first one. The ring has 16 lines;
// 16 loads miss, and the rest hit. One more load takes, from issue to issue: 2 until it has
// read its operand and starts in its pipe; 1 until the load/store unit has the address; a request of 8 bytes leaves and arrives 30 later; 60 of the slice; a reply of
// 40 bytes leaves in one cycle and arrives 30 later; 1 until the register is there: 124.
// machine: gtx480
// set: instruction-cache.size=0 l1.size=0
// expect: cycles@1 - cycles@0 == 1000 * (2 + 1 + 30 + 60 + 30 + 1)
// expect: l2_misses == 16
// expect: l2_hits == 2000 - 16
#include "chain.h"

int main()
{
    return chains(16, 128, 1000);
}
