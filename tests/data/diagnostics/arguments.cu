#include <math.h>
#include <stdlib.h>

__device__ float lerp(float a, float b, float t) { return a + (b - a) * t; }

__global__ void k(float *a, int n)
{
    a[0] = lerp(a[1], a[2]); //~ error
    a[1] = lerp(a[1], a[2], a[3], a[4]); //~ error
    a[2] = sqrtf(); //~ error
    a[3] = powf(a[0]); //~ error
    __syncthreads(1); //~ error
    atomicAdd(a); //~ error
}

int add(int a, int b) { return a + b; }

int main()
{
    k<<<1, 1>>>(0); //~ error
    k<<<1, 1>>>(0, 1, 2); //~ error
    int n = 3;
    n(3); //~ error
    malloc(); //~ error
    return add(1) //~ error
        + add();  //~ error
}
