// vector_add: the sum of two vectors.
//
// BCC (Table 1) measures it; DAC's kind too, but our text of that paper stops before its list. Modelled on the CUDA
// SDK's vectorAdd.
//
// Characteristic: 256 threads for each block, one element for each thread; two contiguous loads, an addition, a
// contiguous store, a branch for the end of the vectors: nothing but memory traffic with affine addresses.
//
// usage: vector_add [elements]

#include "workload.h"

#define THREADS 256

__global__ void add(const float *a, const float *b, float *c, int count)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < count)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 1500000);
    float *a = (float *)malloc(count * sizeof(float)), *b = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++) {
        a[i] = i;
        b[i] = 0.5f * (i & 1023);
    }
    float *device_a = to_device(a, count), *device_b = to_device(b, count), *device_c = device_zeros<float>(count);
    add<<<(count + THREADS - 1) / THREADS, THREADS>>>(device_a, device_b, device_c, count);
    CHECK(cudaGetLastError());
    float *c = to_host(device_c, count);
    int stride = count <= 8192 ? 1 : 31;
    for (int i = 0; i < count; i += stride)
        expect_float("element", i, a[i] + b[i], c[i], 0);
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));
    free(a);
    free(b);
    free(c);
    return verdict("vector_add");
}
