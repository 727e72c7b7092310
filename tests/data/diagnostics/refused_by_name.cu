// Parts of C++ and CUDA that are refused by name, each at its place; the rest of the file is checked.
#include <curand_kernel.h>
#include <mma.h>
using namespace nvcuda;
struct base { int a; };
struct derived : base { int b; }; //~ error
struct shape { virtual int area() { return 0; } }; //~ error
struct opened { int n; ~opened() { n = 0; } }; __device__ opened file; //~ error
struct flags { alignas(8) unsigned low : 3; }; //~ error
struct own { void *operator new(size_t size); int a; }; //~ error
struct marked final { __device__ int get() const final { return 1; } };
constexpr int operator""_k(unsigned long long x) { return x; } //~ error
template <class T> concept number = true; //~ error
texture<float, 2> image;
template <texture<float, 2> &t> __global__ void reads(float *p) { p[0] = 1; }
template <class T> struct cell { T of; __device__ T get(); };
template <> __device__ int cell<int>::get() { return of; } //~ error
template <class T> __device__ T cell<T>::get(int n) { return of + n; } //~ error
__device__ int plain(int x) { return x; }
template <int (*f)(int)> __device__ int calls(int x) { return f(x); }

__global__ void child(int *p) {}
__global__ void parent(int *p) { child<<<1, 1>>>(p); } //~ error

__global__ void k(int *p, int n)
{
    auto f = [*this] __device__ (int x) { return x; }; //~ error
    asm("wgmma.fence.sync.aligned;"); //~ error
    base both = {1};
    auto [a] = both; //~ error
    p[1] = ({ int b = n; b + 1; }); //~ error
    int base::*member = &base::a; //~ error
    p[2] = both.*member; //~ error
    switch (n) {
    case 1 ... 3: p[0] = 1; //~ error
    }
    goto *p; //~ error
    p[3] = _Generic(n, int: 1, default: 2); //~ error
    __int128 wide = 1; //~ error
    int sized[n]; //~ error
    int *made = new int[3]; //~ error
    made = (int *)malloc(12); //~ error
    p[4] = ((int[]){1, 2})[n]; //~ error
    p[5] = plain({n, n}); //~ error
    for (int x : p) //~ error
        n += x;
    decltype(n = 1) place = n; //~ error
    curandState state; //~ error
    curand_init(1, 2, 3, &state); //~ error
    wmma::fragment<wmma::matrix_a, 16, 16, 16, float, wmma::row_major> tile; //~ error
    wmma::fill_fragment(tile, 0.0f); //~ error
    p[6] = calls<3>(n); //~ error
    p[7] = wide + undeclared; //~ error
}

int main()
{
    va_list list; //~ error
    reads<image><<<1, 1>>>(0); //~ error
    cell<float> instance;
    return instance.of + missing; //~ error
}
