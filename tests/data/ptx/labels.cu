// The kernel of labels.ptx in CUDA, with statements in the order of control.

#include <stdio.h>

#define N 64

__global__ void labels(const int *in, int *out)
{
    int i = threadIdx.x, x = in[i], sum = 0, y = 1;
    if (x & 1) {
        sum += 100;
        y = 5;
    }
    sum += y;
    if (x & 2) y = (y + 7) * 3;
    sum += y * 9;
    int z = x, n = x & 7;
    bool is_inside = x & 8;
    do {
        if (!is_inside) {
            sum = sum * 2 + 1;
            z += 3;
        }
        is_inside = false;
        sum += z;
    } while (--n >= 0);
    out[i] = sum + 9;
}

int main()
{
    int in[N], out[N];
    for (int i = 0; i < N; i++) in[i] = 37 * i % 101;
    int *device_in, *device_out;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof out);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    labels<<<1, N>>>(device_in, device_out);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    unsigned hash = 0;
    for (int i = 0; i < N; i++) hash = 31 * hash + out[i];
    printf("%u\n", hash);
    return 0;
}
