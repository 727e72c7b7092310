// Structures with functions, overloads, templates, namespaces, in one program.
#include <stdio.h>
namespace geo {
struct vec {
    float x, y;
    __host__ __device__ vec() : x(0), y(0) {}
    __host__ __device__ vec(float a, float b) : x(a), y(b) {}
    __host__ __device__ float dot(const vec &o) const { return x * o.x + y * o.y; }
    __host__ __device__ vec &operator+=(const vec &o) { x += o.x; y += o.y; return *this; }
    __host__ __device__ float &operator[](int i) { return i ? y : x; }
};
__host__ __device__ inline vec operator+(const vec &a, const vec &b) { return vec(a.x + b.x, a.y + b.y); }
}
using namespace geo;
template <class T> struct SharedMemory {
    __device__ inline operator T *() { extern __shared__ int smem_[]; return (T *)smem_; }
    __device__ inline operator const T *() const { extern __shared__ int smem_[]; return (T *)smem_; }
};
template <typename T, int N> __global__ void sum(const T *in, T *out)
{
    T *s = SharedMemory<T>();
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    T total = 0;
#pragma unroll
    for (int i = 0; i < N; i++) total += s[i];
    out[threadIdx.x] = total;
}
__host__ __device__ int f(int x) { return x + 1; }
__host__ __device__ float f(float x) { return x * 2; }
template <typename T> __host__ __device__ T twice(T x) { return x + x; }
template <> __host__ __device__ int twice<int>(int x) { return 100 + x; }
template <class T, int N> struct Array { T a[N]; static const int size = N; __host__ __device__ T get(int i) const { return a[i]; } typedef T type; };
enum class Color : unsigned char { Red = 3, Green };
__global__ void k(float *out)
{
    vec a(1, 2), b(3, 4);
    vec c = a + b;
    c += a;
    c[0] += 10;
    out[0] = c.x; out[1] = c.y; out[2] = a.dot(b);
    out[3] = f(3); out[4] = f(3.5f); out[5] = twice(2.5f); out[6] = twice(7);
    Array<float, 4> arr = {{1, 2, 3, 4}};
    Array<float, 4>::type q = arr.get(2);
    out[7] = q + Array<float, 4>::size + (int)Color::Green;
    if constexpr (sizeof(int) == 4) out[8] = 1; else out[8] = 2;
    static_assert(sizeof(vec) == 8, "size");
    float t = 0;
    auto &r = t; r = 5; out[9] = t;
}
int main()
{
    float *d, h[10];
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 10; i++) printf("%g ", h[i]);
    printf("\n");
    int hi[8], *di, *dout;
    for (int i = 0; i < 8; i++) hi[i] = i;
    cudaMalloc(&di, sizeof hi); cudaMalloc(&dout, sizeof hi);
    cudaMemcpy(di, hi, sizeof hi, cudaMemcpyHostToDevice);
    sum<int, 8><<<1, 8, 32>>>(di, dout);
    cudaMemcpy(hi, dout, sizeof hi, cudaMemcpyDeviceToHost);
    printf("%d %d\n", hi[0], hi[7]);
}

// out: 15 8 11 4 7 5 107 11 1 5 
// out: 28 28
