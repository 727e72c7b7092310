// Function templates whose parameters are arrays. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace array_param {
template <int M> HD float f(float a[M][4]) { float s = 0; for (int i = 0; i < M; i++) s += a[i][3]; return s; }
HD long test() { float a[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}; return (long)f<3>(a) * 100 + (long)f<2>(a); }
}
namespace array_param_T {
template <class T, int M, int N> HD T g(T a[M][N]) { T s = 0; for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) s = s * 2 + a[i][j]; return s; }
template <int M, class T, int N> HD T h(T a[M][N]) { return a[M - 1][N - 1] * 10 + N; }
HD long test() { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; return g<int, 2, 3>(a) * 1000 + h<2>(a); }
}
namespace array_ref {
template <int M> HD int f(int (&a)[M][4]) { return M * 10 + sizeof(a); } template <class T, int N> HD int n(const T (&)[N]) { return N; } template <int N> HD int p(int (*a)[N]) { return N; }
HD long test() { int a[3][4] = {}; const float b[7] = {}; return f(a) + f<3>(a) * 1000 + n(b) * 1000000 + p(a) * 100000000L; }
}
namespace array_plain {
template <class T> HD int f(T a[]) { return sizeof(T); } template <class T> HD int g(T a[5]) { return sizeof(a[0]) * 2; } template <int N> HD int k(int a[N]) { return a[N - 1]; }
HD long test() { short s[3] = {}; double d[2] = {}; int i[4] = {1, 2, 3, 4}; return f(s) + g(d) * 10 + k<3>(i) * 1000; }
}
HD long all(int at) {
    switch (at) {
    case 0: return array_param::test();
    case 1: return array_param_T::test();
    case 2: return array_ref::test();
    case 3: return array_plain::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[4];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 4>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 4; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 4; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 2412 2412
// out: 120063 120063
// out: 407078078 407078078
// out: 3162 3162
