// The kernel of addresses.ptx in CUDA. An optimised access uses the low 32 bits of its address; the text adds others.

#include <stdio.h>

__global__ void addresses(const int *in, int *out)
{
    int i = threadIdx.x;
    atomicAdd(&out[i], in[63 - i] + in[i ^ 1]);
}

int main()
{
    int in[64], out[64], *device_in, *device_out;
    for (int i = 0; i < 64; i++) in[i] = i * i;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof out);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(device_out, 0, sizeof out);
    addresses<<<1, 64>>>(device_in, device_out);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < 64; i++) sum += out[i] * i;
    printf("%d\n", sum);
    return 0;
}
