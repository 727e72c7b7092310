// Lanes of a warp make one call on both sides of a branch, with one mask: as from compute capability 7.0 on each waits
// for all, wherever these are. Schemes that regroup threads wait for lanes that come to one place only.
// out: 14 32

#include <stdio.h>

#define ALL 0xffffffffu

// Values go from side to side, in 32 and in 64 bits; votes, matches and reductions count both.
__global__ void sides(int *out)
{
    const int lane = threadIdx.x;
    long long sum = (long long)(lane + 1) << 32;
    int total = lane + 1, same = 0;
    unsigned low, like, any, every;
    if (lane < 16) {
        for (int d = 16; d > 0; d /= 2)
            total += __shfl_xor_sync(ALL, total, d);
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(ALL, sum, d);
        low = __ballot_sync(ALL, lane < 16);
        like = __match_any_sync(ALL, lane % 1);
        any = __any_sync(ALL, lane == 20);
        every = __all_sync(ALL, lane < 31);
        __match_all_sync(ALL, 7, &same);
    } else {
        for (int d = 16; d > 0; d /= 2)
            total += __shfl_xor_sync(ALL, total, d);
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(ALL, sum, d);
        low = __ballot_sync(ALL, lane < 16);
        like = __match_any_sync(ALL, lane % 1);
        any = __any_sync(ALL, lane == 20);
        every = __all_sync(ALL, lane < 31);
        __match_all_sync(ALL, 7, &same);
    }
    if (lane == 5 || lane == 25) {
        int *to = out + (lane == 5 ? 0 : 7);
        to[0] = total;
        to[1] = sum >> 32;
        to[2] = like;
        to[3] = low;
        to[4] = __popc(like);
        to[5] = any & same;
        to[6] = every;
    }
}

// One side gives what the other takes, and does not use what it gets.
__global__ void hand_over(int *out)
{
    __shared__ int cells[32];
    const int lane = threadIdx.x;
    int sum = 0;
    if (lane % 2) {
        for (int i = 0; i < 32; i++)
            __shfl_sync(ALL, lane, i);
        cells[lane] = lane;
        __syncwarp();
        out[lane] = cells[lane - 1];
    } else {
        for (int i = 0; i < 32; i++)
            sum += __shfl_sync(ALL, lane, i);
        cells[lane] = sum;
        __syncwarp();
        out[lane] = cells[lane + 1];
    }
}

int main()
{
    int *out, right[2] = {0, 0};
    cudaMallocManaged(&out, 32 * sizeof(int));
    sides<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    const int expected[7] = {528, 528, -1, 65535, 32, 1, 0};
    for (int i = 0; i < 14; i++)
        right[0] += out[i] == expected[i % 7];
    hand_over<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int lane = 0; lane < 32; lane++)
        right[1] += out[lane] == (lane % 2 ? 496 : lane + 1);
    printf("%d %d\n", right[0], right[1]);
    return 0;
}
