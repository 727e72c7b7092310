// suite: sdk42
// includes: fastWalshTransform
// unchanged
#include <cutil_inline.h>
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
    cudaMalloc(&device, count * sizeof(float));
    cudaMalloc(&other, count * sizeof(float));
    cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(other, host, count * sizeof(float), cudaMemcpyHostToDevice);
    fwtBatchGPU(device, 1, log2);
    transform(host, count);
    cudaMemcpy(got, device, count * sizeof(float), cudaMemcpyDeviceToHost);
    // Small integers: every sum is exact.
    for (int i = 0; i < count; i++)
        wrong += got[i] != host[i];
    cudaMemcpy(host, other, count * sizeof(float), cudaMemcpyDeviceToHost);
    modulateKernel<<<2, 64>>>(other, device, count);
    float *product = (float *)malloc(count * sizeof(float));
    cudaMemcpy(product, other, count * sizeof(float), cudaMemcpyDeviceToHost);
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
