// `::name` is that of the outermost namespace.
#include <stdio.h>
#include <math.h>
typedef short number;
__host__ __device__ int twice(int x) { return 2 * x; }
template <class T> __host__ __device__ T thrice(T x) { return 3 * x; }
__device__ int counter = 5;
namespace inner {
typedef double number;
__host__ __device__ int twice(int x) { return 200 * x; }
struct arithmetic
{
    __host__ __device__ static int twice(int x) { return ::twice(x) + 1; }
    __host__ __device__ static double floor(double x) { return ::floor(x) + 100; }
    __host__ __device__ static int thrice(int x) { return ::thrice(x) + ::thrice<int>(1); }
    static int size() { return sizeof(::number) + 10 * sizeof(number); }
};
__global__ void k(int *out)
{
    int counter = ::counter + 1;
    out[0] = counter + ::twice(10) + twice(1);
    out[1] = arithmetic::twice(3) + (int)arithmetic::floor(1.5);
}
}

int main()
{
    int *out;
    ::cudaMallocManaged(&out, 2 * sizeof(int));
    ::inner::k<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    ::printf("%d %d %d %d %d\n", out[0], out[1], inner::arithmetic::thrice(2), inner::arithmetic::size(), ::std::max(1, 2));
    return 0;
}

// out: 226 108 9 82 2
