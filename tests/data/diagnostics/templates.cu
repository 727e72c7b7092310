template <typename T> //~ error
__global__ void fill(T *a, T value)
{
    a[threadIdx.x] = value;
}

template <class T> struct holder { T value; }; //~ error

__device__ int fine(int x) { return x; }

int main()
{
    return missing; //~ error
}
