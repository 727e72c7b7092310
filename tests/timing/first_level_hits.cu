// A chain of loads that hit in the first-level cache. The ring has 16 lines; 16 loads miss, and the rest
// hit. One more load takes, from issue to issue: 1, and 1 to read its operand; 1 until the load/store unit
// has the address; 35 of the cache: 38.
// machine: gtx480
// set: instruction-cache.size=0
// expect: cycles@1 - cycles@0 == 1000 * (1 + 1 + 1 + 35)
// expect: l1_misses == 16
// expect: l1_hits == 2000 - 16
#include "chain.h"

int main()
{
    return chains(16, 128, 1000);
}
