// Words shifted to the left and to the right and joined: one instruction where the counts add up to 32, and not where
// they do not, where the right shift is arithmetic, or where a shift is read elsewhere. The sums are those of a program
// in Python.
#include <stdio.h>

__global__ void k(unsigned *out, unsigned even)
{
    unsigned t = threadIdx.x, a = t * 2654435761u, b = a ^ a >> 13 ^ 0x9e3779b9u;
    int s = (int)b;
    out[0 * 64 + t] = a << 7 | a >> 25;
    out[1 * 64 + t] = a << 31 ^ b >> 1;
    out[2 * 64 + t] = (a >> 31) + (b << 1);
    out[3 * 64 + t] = a << 7 | b >> 24;
    out[4 * 64 + t] = a << 8 | s >> 24;
    unsigned left = a << 12;
    out[5 * 64 + t] = left | b >> 20;
    out[6 * 64 + t] = left;
    out[7 * 64 + t] = (a << 3 | a >> 29) ^ (b << 19 | b >> 13) ^ even;
    out[8 * 64 + t] = (a << 5 | even >> 27) & (even << 5 | b >> 27);
    out[9 * 64 + t] = a << 0 | b >> 0;
    // Products and shifts by constants that are rotated.
    unsigned murmur = b * 0xcc9e2d51u, shifted = b << 3;
    out[10 * 64 + t] = (murmur << 15 | murmur >> 17) * 0x1b873593u;
    out[11 * 64 + t] = shifted << 7 | shifted >> 25;
    out[12 * 64 + t] = murmur << 15 | (b * 0xcc9e2d53u) >> 17;
}

int main()
{
    unsigned host[832], *out;
    cudaMalloc(&out, sizeof(host));
    k<<<1, 64>>>(out, 0x12345678u);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int row = 0; row < 13; row++) {
        unsigned sum = 0;
        for (int t = 0; t < 64; t++)
            sum = sum * 31 + host[row * 64 + t];
        printf("%u\n", sum);
    }
    return 0;
}

// out: 4040578467
// out: 2898654991
// out: 2362848834
// out: 2741182906
// out: 464200378
// out: 2936433385
// out: 2942435328
// out: 3945474817
// out: 2140864454
// out: 4056836453
// out: 4172854564
// out: 2275177547
// out: 2413072132
