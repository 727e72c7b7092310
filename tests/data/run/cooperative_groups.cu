// Blocks and tiles as groups.
#include <stdio.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
using namespace cooperative_groups;

__device__ int sum_of(cg::thread_group g, int *memory, int value)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        memory[lane] = value;
        g.sync();
        if (lane < i)
            value += memory[lane + i];
        g.sync();
    }
    return value;
}

template <class T> __device__ int reduce(cg::thread_block_tile<4> tile, T value)
{
    for (int i = tile.size() / 2; i > 0; i /= 2)
        value += tile.shfl_down(value, i);
    return tile.shfl(value, 0);
}

__global__ void kernel(int *out)
{
    __shared__ int memory[64];
    cg::thread_block cta = cg::this_thread_block();
    auto tile = cg::tiled_partition<4>(cta);
    thread_block_tile<2> pair = tiled_partition<2>(tile);
    int t = cta.thread_rank();
    memory[cta.size() - 1 - t] = t;
    cg::sync(cta);
    int *to = out + 10 * t;
    to[0] = memory[t];
    to[1] = reduce(tile, t);
    to[2] = tile.meta_group_rank() * 10 + pair.meta_group_rank();
    to[3] = pair.ballot(t % 3 == 0);
    to[4] = pair.any(t == 17) * 10 + pair.all(t < 18);
    to[5] = cta.thread_index().y * 100 + cta.group_index().x * 10 + cta.group_dim().x + cta.dim_threads().y;
    cta.sync();
    to[6] = sum_of(cta, memory, t);
    tile.sync();
    thread_group part = tiled_partition(this_thread_block(), 4);
    to[7] = sum_of(part, memory + t / 4 * 4, t);
    to[8] = sum_of(pair, memory + t / 2 * 2, 1);
    to[9] = pair.shfl_xor(t, 1) + 100 * tile.shfl_up(t, 2) + thread_rank(pair) * 10000 + cta.num_threads() * 100000;
}

int main()
{
    static int h[640], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<1, dim3(16, 4)>>>(out);
    printf("%d\n", cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t += 8 + t % 3)
        for (int i = 0; i < 10; i++)
            printf("%d%c", h[10 * t + i], i == 9 ? '\n' : ' ');
}

// out: 0
// out: 63 6 0 1 1 20 2016 6 2 6400001
// out: 55 38 20 2 1 20 128 38 2 6400809
// out: 45 70 41 1 0 120 68 18 2 6401619
// out: 37 102 61 2 0 120 84 26 2 6402427
// out: 27 150 90 1 0 220 36 150 2 6403637
// out: 19 182 110 2 0 220 44 182 2 6404445
// out: 9 214 131 1 0 320 54 54 2 6405255
// out: 1 246 151 2 0 320 62 62 2 6406063
