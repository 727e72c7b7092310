// A chain of loads that miss in the first-level cache and hit in the second. The ring has 256 lines, twice
// as many as the first level holds, so that under LRU each line has gone when it is wanted again. As
// in second_level_hits.cu the reply is there 1 + 1 + 1 + 30 + 60 + 30 after the issue; 1 later the load is
// replayed, and hits: 35: 159.
// machine: gtx480
// set: instruction-cache.size=0
// expect: cycles@1 - cycles@0 == 1000 * (1 + 1 + 1 + 30 + 60 + 30 + 1 + 35)
// expect: l1_hits == 0
// expect: l1_replays == 2000
// expect: l2_misses == 256
// expect: l2_hits == 2000 - 256
#include "chain.h"

int main()
{
    return chains(256, 128, 1000);
}
