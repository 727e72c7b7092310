// suite: sdk42
// includes: scan
// unchanged
#include "driver.h"
#include "scan.cu"

static int check(uint *host, uint *got, uint *in, uint *out, uint batch, uint length)
{
    uint count = batch * length, wrong = 0;
    for (uint i = 0; i < count; i++)
        host[i] = rand() % 256;
    cudaMemcpy(in, host, count * sizeof(uint), cudaMemcpyHostToDevice);
    if (length <= MAX_SHORT_ARRAY_SIZE)
        scanExclusiveShort(out, in, batch, length);
    else
        scanExclusiveLarge(out, in, batch, length);
    to_host(got, out, count);
    for (uint b = 0; b < batch; b++) {
        uint sum = 0;
        for (uint i = 0; i < length; i++) {
            wrong += got[b * length + i] != sum;
            sum += host[b * length + i];
        }
    }
    if (wrong)
        printf("%u arrays of %u: %u wrong\n", batch, length, wrong);
    return wrong != 0;
}

int main()
{
    const uint most = 16384;
    uint *host = (uint *)malloc(most * sizeof(uint)), *got = (uint *)malloc(most * sizeof(uint)), *in, *out;
    cudaMalloc(&in, most * sizeof(uint));
    cudaMalloc(&out, most * sizeof(uint));
    initScan();
    int wrong = check(host, got, in, out, 256, 4) + check(host, got, in, out, 8, 128) +
                check(host, got, in, out, 4, 1024) + check(host, got, in, out, 2, 2048) +
                check(host, got, in, out, 2, 8192);
    closeScan();
    if (!wrong)
        puts("PASS");
}

// out: PASS
