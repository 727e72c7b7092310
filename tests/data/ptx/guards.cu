// The kernels of guards.ptx in CUDA: what a guard leaves out is an `if` here.

#include <stdio.h>

#define N 100
#define THREADS 128

__global__ void guards(const int *in, const signed char *small, const unsigned long long *wide, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool inside = i < N, odd = i & 1, four = 4 * i + 3 < N;
    int a = 7, b = -3, u = 300, c = 2;
    unsigned short h = 9;
    unsigned long long w = 5;
    int x = 1, y = 2, z = 3, q = 4;
    if (inside) a = in[i];
    if (!odd) b = small[i];
    if (odd) u = (unsigned char)small[i];
    if (inside) w = wide[i];
    if (odd) h = ((const unsigned short *)small)[i / 2];
    if (four) {
        x = in[4 * i];
        y = in[4 * i + 1];
        z = in[4 * i + 2];
        q = in[4 * i + 3];
    }
    if (odd) c = atomicAdd(&out[1000 + i], a);
    if (inside) atomicMax(&out[1200 + (i & 7)], i);
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        int next = 1;
        if (i + k < N) next = in[i + k];
        sum += next;
    }
    int value = a + 3 * b + 5 * u + 7 * (int)w + 11 * (int)(w >> 32) + 13 * h + 17 * c + sum;
    out[i] = value;
    if (!inside) out[200 + i] = value;
    if (four) {
        out[400 + 4 * i] = x + y;
        out[400 + 4 * i + 1] = z + q;
        out[400 + 4 * i + 2] = value;
        out[400 + 4 * i + 3] = 1;
    }
    out[700 + i] = x + 2 * y + 4 * z + 8 * q;
}

int main()
{
    static int in[N], out[1300];
    static signed char small[THREADS];
    static unsigned long long wide[N];
    for (int i = 0; i < N; i++) {
        in[i] = 31 * i - 1000;
        wide[i] = 0x100000001ull * i + 77;
    }
    for (int i = 0; i < THREADS; i++) small[i] = 3 * i;
    int *device_in, *device_out;
    signed char *device_small;
    unsigned long long *device_wide;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_small, sizeof small);
    cudaMalloc(&device_wide, sizeof wide);
    cudaMalloc(&device_out, sizeof out);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(device_small, small, sizeof small, cudaMemcpyHostToDevice);
    cudaMemcpy(device_wide, wide, sizeof wide, cudaMemcpyHostToDevice);
    cudaMemset(device_out, 0, sizeof out);
    guards<<<2, THREADS / 2>>>(device_in, device_small, device_wide, device_out);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    unsigned hash = 0;
    for (int i = 0; i < 1300; i++) hash = 31 * hash + out[i];
    printf("%u\n", hash);
    return 0;
}
