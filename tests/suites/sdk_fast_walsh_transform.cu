// suite: sdk42
// includes: fastWalshTransform
// unchanged
#include <cutil_inline.h>
#include "driver.h"
#include "fastWalshTransform_kernel.cu"

static void transform(float *data, int count)
{
    for (int stride = count / 2; stride > 0; stride /= 2)
        for (int base = 0; base < count; base += 2 * stride)
            for (int j = 0; j < stride; j++) {
                float a = data[base + j], b = data[base + j + stride];
                data[base + j] = a + b;
                data[base + j + stride] = a - b;
            }
}

static int check(int log2)
{
    int count = 1 << log2, wrong = 0;
    float *host = (float *)malloc(count * sizeof(float)), *got = (float *)malloc(count * sizeof(float)), *device, *other;
    for (int i = 0; i < count; i++)
        host[i] = (float)(rand() % 16);
    device = to_device(host, count);
    other = to_device(host, count);
    fwtBatchGPU(device, 1, log2);
    transform(host, count);
    to_host(got, device, count);
    // Small integers: every sum is exact.
    for (int i = 0; i < count; i++)
        wrong += got[i] != host[i];
    to_host(host, other, count);
    modulateKernel<<<2, 64>>>(other, device, count);
    float *product = (float *)malloc(count * sizeof(float));
    to_host(product, other, count);
    for (int i = 0; i < count; i++)
        wrong += product[i] != host[i] * (got[i] * (1.0f / count));
    if (wrong)
        printf("2^%d: %d wrong\n", log2, wrong);
    return wrong;
}

int main()
{
    if (check(10) + check(11) + check(12) == 0)
        puts("PASS");
}

// out: PASS
