// Structures as values, function objects and nested templates on both sides.
#include <stdio.h>
// device-side new T, ternaries with structs, nested templates >> , operator precedence on templates
template <class A, class B> struct pair { A first; B second; __host__ __device__ pair() : first(), second() {} __host__ __device__ pair(A a, B b) : first(a), second(b) {} };
template <class A, class B> __host__ __device__ pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <int A, int B> struct gt { static const bool value = (A > B); };
template <class T> struct opt { T v; bool has; __host__ __device__ opt() : v(), has(false) {} __host__ __device__ opt(const T &x) : v(x), has(true) {} __host__ __device__ explicit operator bool() const { return has; } __host__ __device__ const T &operator*() const { return v; } __host__ __device__ const T *operator->() const { return &v; } };
struct rng { unsigned s; __host__ __device__ explicit rng(unsigned seed) : s(seed) {} __host__ __device__ unsigned operator()() { s = s * 1664525u + 1013904223u; return s >> 16; } };
template <typename T, unsigned int blockSize> __device__ T blockSum(T v) { __shared__ T buf[blockSize]; buf[threadIdx.x] = v; __syncthreads(); for (unsigned s = blockSize / 2; s > 0; s >>= 1) { if (threadIdx.x < s) buf[threadIdx.x] += buf[threadIdx.x + s]; __syncthreads(); } return buf[0]; }
template <class T> __global__ void kern(T *out, int n)
{
    pair<int, pair<float, double>> p = make_pair(3, make_pair(1.5f, 2.5));
    opt<pair<int, float>> none, some(pair<int, float>(7, 0.5f));
    rng r(threadIdx.x + 1);
    T acc = (T)(r() & 15);
    T total = blockSum<T, 64>(acc);
    float total2 = blockSum<float, 64>((float)acc * 2);
    if (threadIdx.x == 0) { out[0] = total; out[1] = total2; out[2] = p.second.second + p.first; out[3] = gt<(5 > 3), 0>::value; out[4] = none ? 1 : 2; out[5] = some ? some->first + (*some).second : 0; opt<pair<int, float>> q = n > 100 ? none : some; out[6] = q.has; }
}
int main()
{
    float *d, h[8]; cudaMalloc(&d, sizeof h); kern<float><<<1, 64>>>(d, 5); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int want = 0; for (int i = 0; i < 64; i++) { rng r(i + 1); want += r() & 15; }
    printf("%g %g %g %g %g %g %g %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6], want);
}

// out: 474 948 5.5 1 2 7.5 1 474
