// suite: sdk42
// includes: histogram
// changed: fewer blocks than `histogram256` launches
#include "histogram256.cu"

int main()
{
    const uint bytes = 24000, blocks = 5;
    unsigned char *host = (unsigned char *)malloc(bytes);
    uint expected[256] = {}, got[256];
    for (uint i = 0; i < bytes; i++) {
        // The first half is uniform, the second is mostly one value.
        host[i] = i < bytes / 2 ? rand() % 256 : rand() % 8 ? 77 : rand() % 4;
        expected[host[i]]++;
    }
    uint *data, *parts, *result;
    cudaMalloc(&data, bytes);
    cudaMalloc(&parts, blocks * HISTOGRAM256_BIN_COUNT * sizeof(uint));
    cudaMalloc(&result, sizeof got);
    cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice);
    histogram256Kernel<<<blocks, HISTOGRAM256_THREADBLOCK_SIZE>>>(parts, data, bytes / 4);
    mergeHistogram256Kernel<<<HISTOGRAM256_BIN_COUNT, MERGE_THREADBLOCK_SIZE>>>(result, parts, blocks);
    cudaMemcpy(got, result, sizeof got, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 256; i++)
        wrong += got[i] != expected[i];
    if (wrong)
        printf("%d bins wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
