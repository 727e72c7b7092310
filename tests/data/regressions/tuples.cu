// What the affine warp has in its registers is exchanged, and widened where it wraps.
#include <stdio.h>

__global__ void exchange(const int *in, int *out, int n) {
    int a = threadIdx.x, b = 2 * threadIdx.x + 1, sum = 0;
    for (int k = 0; k < n; k++) {
        sum = sum * 3 + in[a];
        int other = a;
        a = b;
        b = other;
    }
    out[threadIdx.x] = sum;
}

__global__ void widen(const int *in, int *out, int n) {
    unsigned x = threadIdx.x;
    size_t at = (size_t)(x * 0x40000000u + x);
    int sum = 0;
    for (int k = 0; k < n; k++) {
        sum = sum * 3 + in[at - x * 0x40000000u];
        at += n;
    }
    if (x > 7) {
        size_t later = (size_t)(x - 8u);
        for (int k = 0; k < n; k++) {
            sum = sum * 3 + in[later];
            later += 2;
        }
    }
    out[64 + x] = sum;
}

int main(int argc, char **argv) {
    int host[256], *in, *out;
    for (int i = 0; i < 256; i++) host[i] = i * i;
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    exchange<<<1, 64>>>(in, out, 5);
    widen<<<1, 64>>>(in, out, 3);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    if (argc < 2) return 0;
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) printf("%d %d\n", i, host[i]);
    return 0;
}
