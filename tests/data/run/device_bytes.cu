// `memcpy`, `memmove` and `memset` in device code; `auto` with the type behind the parameters.
#include <stdio.h>
#include <string.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct record { char name[5]; short size; int values[3]; };

__host__ __device__ auto moved(char *p, int n) -> char *
{
    memmove(p + 1, p, n);
    return p;
}

template <class T> __device__ auto largest_of(cg::thread_block_tile<4> tile, T x) -> T
{
    return cg::reduce(tile, x, cg::greater<T>());
}

__global__ void k(record *out, const record *in, char *text, int *sums)
{
    record local;
    memset(&local, 0x11, sizeof local);
    memcpy(local.name, in->name, 5);
    memcpy(&local.values, in->values, 2 * sizeof(int));
    if (threadIdx.x == 0) {
        *out = local;
        moved(text, 6);
        memset(text + 8, 'x', 3);
    }
    cg::thread_block_tile<4> tile = cg::tiled_partition<4>(cg::this_thread_block());
    int total = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    int most = largest_of(tile, (int)(threadIdx.x * 5 % 7));
    if (tile.thread_rank() == 0)
        sums[tile.meta_group_rank()] = 100 * total + most;
}

int main()
{
    record *a, *b;
    char *text;
    int *sums;
    cudaMallocManaged(&a, sizeof *a);
    cudaMallocManaged(&b, sizeof *b);
    cudaMallocManaged(&text, 16);
    cudaMallocManaged(&sums, 2 * sizeof(int));
    memcpy(a->name, "abcd", 5);
    a->values[0] = 7;
    a->values[1] = 8;
    strcpy(text, "abcdefghijkl");
    k<<<1, 8>>>(b, a, text, sums);
    cudaDeviceSynchronize();
    char other[8] = "123";
    printf("%s %x %d %d %x %s %d %d %s\n", b->name, b->size, b->values[0], b->values[1], b->values[2], text, sums[0],
           sums[1], moved(other, 3));
    return 0;
}

// out: abcd 1111 7 8 11111111 aabcdefhxxxl 605 2206 1123
