int promised(int x);
__device__ float nowhere(float x);
__global__ void absent(float *a);

__global__ void k(float *a)
{
    a[0] = nowhere(a[1]); //~ error
}

int unused_promise(int x);

int main()
{
    absent<<<1, 1>>>(0); //~ error
    k<<<1, 1>>>(0);
    return promised(3); //~ error
}
