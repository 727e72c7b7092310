// suite: sdk42
// includes: histogram
// unchanged
#include "histogram64.cu"

int main()
{
    const uint bytes = 48000;
    unsigned char *host = (unsigned char *)malloc(bytes);
    uint expected[64] = {}, got[64];
    for (uint i = 0; i < bytes; i++) {
        host[i] = i < bytes / 2 ? rand() % 256 : rand() % 8 ? 77 : rand() % 16;
        expected[host[i] / 4]++;
    }
    uint *data, *result;
    cudaMalloc(&data, bytes);
    cudaMalloc(&result, sizeof got);
    cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice);
    initHistogram64();
    histogram64(result, data, bytes);
    closeHistogram64();
    cudaMemcpy(got, result, sizeof got, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 64; i++)
        wrong += got[i] != expected[i];
    if (wrong)
        printf("%d bins wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
