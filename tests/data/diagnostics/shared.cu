__shared__ int outside[4];
extern __shared__ float pool[];

__global__ void k(int *a)
{
    __shared__ int initialised = 0; //~ error
    __shared__ int fine[4];
    extern __shared__ float mine[];
    __constant__ int inside; //~ error
    fine[0] = 1;
    a[0] = fine[0] + initialised + (int)mine[0] + (int)pool[0];
}

__global__ void parameter(__shared__ int *a) //~ error
{
    a[0] = 1;
}

int main()
{
    __shared__ int host; //~ error
    __device__ int also; //~ error
    return host + also;
}
