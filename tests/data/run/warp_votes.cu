// Votes of full and of partial warps, in branches and in loops, against a count by the host. Any
// width of warps gives the same verdict.
// options: --cuda 12
#include <stdio.h>

__global__ void votes(const int *in, unsigned *ballots, int *anys, int *alls)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[t];
    ballots[t] = __ballot_sync(0xffffffff, v % 3 == 1);
    anys[t] = __any_sync(0xffffffff, v == 5);
    alls[t] = __all_sync(0xffffffff, v < 9);
}

// The lanes that the mask names are those of the branch.
__global__ void branches(const int *in, unsigned *ballots, int *actives)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[t];
    unsigned odd = __ballot_sync(~0u, v & 1);
    unsigned result = 0;
    if (v & 1) {
        result = __ballot_sync(odd, v > 4);
        __syncwarp(odd);
        actives[t] = __activemask() == odd;
    } else {
        actives[t] = __all(v % 2 == 0) && __ballot(1) == __activemask();
    }
    ballots[t] = result;
}

// Each round without those that have left the loop, and after a return without those that have ended.
__global__ void loops(const int *in, int *rounds)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int left = in[t], sum = 0;
    if (left == 0)
        return;
    while (left > 0) {
        sum += __popc(__activemask());
        left--;
    }
    int together = 0;
    for (int i = 0; __any_sync(0xffffffff, i < in[t]); i++)
        together++;
    rounds[t] = sum * 100 + together;
}

// Groups of four vote each for itself, in one instruction.
__global__ void groups(const int *in, unsigned *ballots, int *wrong)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % warpSize, first = lane & ~3;
    unsigned mask = 15u << first;
    int v = in[t];
    ballots[t] = __ballot_sync(mask, v & 1) >> first;
    wrong[t] = __any_sync(mask, v & 1) != (ballots[t] != 0)
        || __all_sync(mask, v & 1) != (__popc(ballots[t]) == __popc(__ballot_sync(mask, 1)))
        || __all_sync(mask, 1) != 1 || __any_sync(mask, 0) != 0;
}

int warp;

__global__ void width(int *out) { *out = warpSize; }

int first_of(int t, int block) { return t / block * block + t % block / warp * warp; }
int end_of(int t, int block)
{
    int end = first_of(t, block) + warp, last = (t / block + 1) * block;
    return end < last ? end : last;
}

int main()
{
    const int block = 41, n = 3 * block;
    int in[n], anys[n], alls[n];
    unsigned ballots[n];
    int *d_in, *d_anys, *d_alls;
    unsigned *d_ballots;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_anys, sizeof in);
    cudaMalloc(&d_alls, sizeof in);
    cudaMalloc(&d_ballots, sizeof in);
    width<<<1, 1>>>(d_in);
    cudaMemcpy(&warp, d_in, sizeof warp, cudaMemcpyDeviceToHost);
    for (int t = 0; t < n; t++)
        in[t] = t * t * 7 % 10;
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);

    int wrong = 0;
    votes<<<3, block>>>(d_in, d_ballots, d_anys, d_alls);
    cudaMemcpy(ballots, d_ballots, sizeof in, cudaMemcpyDeviceToHost);
    cudaMemcpy(anys, d_anys, sizeof in, cudaMemcpyDeviceToHost);
    cudaMemcpy(alls, d_alls, sizeof in, cudaMemcpyDeviceToHost);
    for (int t = 0; t < n; t++) {
        unsigned ballot = 0;
        int any = 0, all = 1;
        for (int o = first_of(t, block); o < end_of(t, block); o++) {
            ballot |= (unsigned)(in[o] % 3 == 1) << (o - first_of(t, block));
            any |= in[o] == 5;
            all &= in[o] < 9;
        }
        wrong += ballots[t] != ballot || anys[t] != any || alls[t] != all;
    }
    printf("votes: %d wrong\n", wrong);

    wrong = 0;
    branches<<<3, block>>>(d_in, d_ballots, d_anys);
    cudaMemcpy(ballots, d_ballots, sizeof in, cudaMemcpyDeviceToHost);
    cudaMemcpy(anys, d_anys, sizeof in, cudaMemcpyDeviceToHost);
    for (int t = 0; t < n; t++) {
        unsigned ballot = 0;
        for (int o = first_of(t, block); o < end_of(t, block); o++)
            ballot |= (unsigned)(in[o] & 1 && in[o] > 4) << (o - first_of(t, block));
        wrong += ballots[t] != (in[t] & 1 ? ballot : 0) || anys[t] != 1;
    }
    printf("branches: %d wrong\n", wrong);

    wrong = 0;
    cudaMemset(d_anys, 0, sizeof in);
    loops<<<3, block>>>(d_in, d_anys);
    cudaMemcpy(anys, d_anys, sizeof in, cudaMemcpyDeviceToHost);
    for (int t = 0; t < n; t++) {
        int sum = 0, most = 0;
        for (int o = first_of(t, block); o < end_of(t, block); o++) {
            sum += in[o] < in[t] ? in[o] : in[t];
            most = in[o] > most ? in[o] : most;
        }
        wrong += anys[t] != (in[t] == 0 ? 0 : sum * 100 + most);
    }
    printf("loops: %d wrong\n", wrong);

    wrong = 0;
    groups<<<3, block>>>(d_in, d_ballots, d_anys);
    cudaMemcpy(ballots, d_ballots, sizeof in, cudaMemcpyDeviceToHost);
    cudaMemcpy(anys, d_anys, sizeof in, cudaMemcpyDeviceToHost);
    for (int t = 0; t < n; t++) {
        unsigned ballot = 0;
        int first = t % block / 4 * 4;
        for (int o = first; o < first + 4 && o < block; o++)
            ballot |= (unsigned)(in[t / block * block + o] & 1) << (o - first);
        wrong += ballots[t] != ballot || anys[t];
    }
    printf("groups: %d wrong\n", wrong);
    return 0;
}

// out: votes: 0 wrong
// out: branches: 0 wrong
// out: loops: 0 wrong
// out: groups: 0 wrong
