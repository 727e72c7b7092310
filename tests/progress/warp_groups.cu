// Groups of four lanes vote, each with its own mask. Two paths, which do not reconverge before the vote because a thread
// may return, each have whole groups and parts of others.
// out: 32

#include <stdio.h>

__global__ void groups(const int *in, unsigned *out)
{
    const int lane = threadIdx.x;
    const unsigned mask = 0xfu << (lane & ~3);
    if ((lane & 14) >= 5) {
        if (in[lane] < 0)
            return;
    }
    out[lane] = __ballot_sync(mask, in[lane] & 1);
}

int main()
{
    int *in, right = 0;
    unsigned *out;
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(unsigned));
    for (int lane = 0; lane < 32; lane++)
        in[lane] = lane * lane / 3;
    groups<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    for (int lane = 0; lane < 32; lane++) {
        unsigned expected = 0;
        for (int other = lane & ~3; other < (lane | 3) + 1; other++)
            expected |= (unsigned)(in[other] & 1) << other;
        right += out[lane] == expected;
    }
    printf("%d\n", right);
    return 0;
}
