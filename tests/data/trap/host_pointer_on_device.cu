// status: 241
// err: kernel 'set'
// err: host_pointer_on_device.cu:9
// err: host
#include <stdlib.h>

__global__ void set(int *a)
{
    a[threadIdx.x] = 1;
}

int main()
{
    int *a = (int *)malloc(64);
    set<<<1, 4>>>(a);
    cudaDeviceSynchronize();
    return 0;
}
