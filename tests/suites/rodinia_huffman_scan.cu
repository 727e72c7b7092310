// suite: rodinia
// includes: cuda/huffman
// unchanged
#include "driver.h"
#define main their_main
#include "scan.cu"
#undef main

// Sums of all before each element, for sizes of one block and of three levels, against the host. The last
// block reads past what it adds to, so there is more room than elements.
int main()
{
    const int sizes[] = {256, 100, 512, 1636, 300000};
    int wrong = 0;
    srand(20);
    for (int k = 0; k < 5; k++) {
        int n = sizes[k];
        unsigned *in = (unsigned *)malloc(n * sizeof(unsigned)), *out = (unsigned *)malloc(n * sizeof(unsigned));
        for (int i = 0; i < n; i++)
            in[i] = rand() % 64;
        unsigned *in_d, *out_d;
        cudaMalloc(&out_d, (n + 2 * BLOCK_SIZE) * sizeof(unsigned));
        in_d = to_device(in, n);
        preallocBlockSums(2 * n);
        prescanArray(out_d, in_d, n);
        deallocBlockSums();
        to_host(out, out_d, n);
        unsigned sum = 0;
        for (int i = 0; i < n; i++) {
            wrong += out[i] != sum;
            sum += in[i];
        }
        cudaFree(in_d);
        cudaFree(out_d);
        free(in);
        free(out);
    }
    return verdict(wrong, "sums");
}

// out: PASS
