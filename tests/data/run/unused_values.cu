// A load or a division in a kernel on whose value nothing depends faults nowhere.
// out: 6 7 8

#include <stdio.h>

__device__ int twice(const int *p)
{
    int value = *p;
    return value * 2;
}

__global__ void unused(int *null, int zero, int *out)
{
    int a = *null;
    int b = a + 1, c = b / zero;
    float d = ((float *)null)[b & 3];
    twice(null);
    int e = twice(null + 1);
    e += (int)d;
    for (int i = 0; i < 3; i++) {
        int f = null[i];
        c += f;
        out[i] = i + 6;
    }
    long long g = 5 % zero;
    g = c;
}

int main()
{
    int *out, host[3];
    cudaMalloc((void **)&out, sizeof host);
    unused<<<1, 1>>>(nullptr, 0, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], host[1], host[2]);
    return 0;
}
