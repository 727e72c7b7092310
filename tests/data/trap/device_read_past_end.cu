// status: 241
// err: total
// err: device_read_past_end.cu:13
#include <stdio.h>

__global__ void total(const int *a, int n, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n)
        return;
    int sum = 0;
    for (int j = 0; j <= i; j++)
        sum += a[j];
    out[i < n ? i : 0] = sum;
}

int main()
{
    int *a, *out, n = 10;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaMalloc((void **)&out, n * sizeof(int));
    total<<<3, 4>>>(a, n, out);
    printf("%d\n", cudaDeviceSynchronize());
    return 0;
}

// err: block (2,0,0)
// err: thread (2,0,0)
