#include <cuda_fp16.h>
#include <thrust/device_vector.h>
surface<void, 2> image; //~ error

__global__ void k(float *a)
{
    a[0] = surf2Dread<float>(image, 1, 2); //~ error
    asm("suld.b.2d.v4.b32.trap {%0, %0, %0, %0}, [image, {%0, %0}];" : "+f"(a[1])); //~ error
    cooperative_groups::this_thread_block(); //~ error
}

__global__ void fragment(float *a)
{
    nvcuda::wmma::fragment<int> f; //~ error
    a[0] = 1;
}

int main()
{
    k<<<1, 1>>>(0);
    return 0;
}
