// What the test of launches.c runs: launches made by each function of the fake runtime, and one that is refused.
#include <stddef.h>
#include <stdio.h>

typedef struct {
    unsigned x, y, z;
} dim3;
typedef struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
    void *attributes;
    unsigned count;
} Config;

int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
int __cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
int cudaLaunchKernelExC(const Config *, const void *, void **);
int cudaDeviceSynchronize(void);
int cudaGetLastError(void);

int main(void)
{
    dim3 one = {1, 1, 1}, block = {64, 1, 1}, too_large = {2048, 1, 1};
    Config config = {one, block, 0, NULL, NULL, 0};
    int a = cudaLaunchKernel(NULL, one, block, NULL, 0, NULL);
    int b = __cudaLaunchKernel(NULL, one, block, NULL, 0, NULL);
    int c = cudaLaunchKernelExC(&config, NULL, NULL);
    cudaGetLastError();
    int refused = cudaLaunchKernel(NULL, one, too_large, NULL, 0, NULL);
    printf("%d %d %d %d %d\n", a, b, c, refused, cudaGetLastError());
    return cudaDeviceSynchronize();
}
