// status: 241
// err: error[R0008]
// err: assertion `a[threadIdx.x] > 0 && "positive"` failed
// err: block (1,0,0)
// err: thread (2,0,0)
// err: device_assertion.cu:12
// out: block 0
#include <assert.h>

__device__ void check(const int *a)
{
    assert(a[threadIdx.x] > 0 && "positive");
}

__global__ void kernel(const int *a)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        printf("block 0\n");
    check(a + 4 * blockIdx.x);
}

int main()
{
    int host[8] = {1, 2, 3, 4, 5, 6, 0, 8}, *a;
    cudaMalloc((void **)&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    kernel<<<2, 4>>>(a);
    cudaDeviceSynchronize();
    return 0;
}
