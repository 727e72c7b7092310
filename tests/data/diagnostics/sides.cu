#include <stdio.h>
#include <stdlib.h>

int counter;
__device__ int total;

int host_only(int x) { return x; }
__device__ int device_only(int x) { return x; }
__host__ __device__ int both(int x) { return x; }

__global__ void k(int *a)
{
    a[0] = host_only(1); //~ error
    a[1] = device_only(2) + both(3);
    a[2] = counter; //~ error
    puts("text"); //~ error
    int *p = (int *)malloc(4); //~ error
    a[3] = rand(); //~ error
    total = *p;
}

__device__ void launcher(int *a)
{
    k<<<1, 1>>>(a); //~ error
    k(a); //~ error
}

int main()
{
    int x = device_only(1); //~ error
    x += both(2) + host_only(3);
    x += threadIdx.x; //~ error
    x += total; //~ error
    __syncthreads(); //~ error
    atomicAdd(&x, 1); //~ error
    k(&x); //~ error
    host_only<<<1, 1>>>(3); //~ error
    return x;
}
