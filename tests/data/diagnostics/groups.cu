// Groups that are not modelled.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(int *a)
{
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid(); //~ error
    auto together = cg::coalesced_threads(); //~ error
    int sum = cg::inclusive_scan(block, 1, 2); //~ error
    block.sync();
    block.arrive(); //~ error
}

int main()
{
    kernel<<<1, 1>>>(0);
    return 0;
}
