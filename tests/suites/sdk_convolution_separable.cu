// suite: sdk42
// includes: convolutionSeparable
// unchanged
#include "convolutionSeparable.cu"
#include "convolutionSeparable_gold.cpp"

int main()
{
    const int width = 256, height = 64, count = width * height, bytes = count * sizeof(float);
    float kernel[KERNEL_LENGTH];
    float *in = (float *)malloc(bytes), *rows = (float *)malloc(bytes), *expected = (float *)malloc(bytes);
    float *got = (float *)malloc(bytes), *d_in, *d_rows, *d_out;
    srand(6);
    for (int i = 0; i < KERNEL_LENGTH; i++)
        kernel[i] = (float)(rand() % 16);
    for (int i = 0; i < count; i++)
        in[i] = (float)(rand() % 16);
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_rows, bytes);
    cudaMalloc(&d_out, bytes);
    setConvolutionKernel(kernel);
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    convolutionRowsGPU(d_rows, d_in, width, height);
    convolutionColumnsGPU(d_out, d_rows, width, height);
    cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost);
    convolutionRowCPU(rows, in, kernel, width, height, KERNEL_RADIUS);
    convolutionColumnCPU(expected, rows, kernel, width, height, KERNEL_RADIUS);
    int wrong = 0;
    // Small integers: every sum is exact.
    for (int i = 0; i < count; i++)
        wrong += got[i] != expected[i];
    if (wrong)
        printf("%d wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
