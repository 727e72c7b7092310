// Templates of templates, arrays by reference, results deduced, lists assigned; what is printed is what g++ prints.
#include <cstdio>
#include <cstdint>
template <class T> struct g { T v; };
template <class T> __host__ __device__ int f(int x) { return x + (int)sizeof(T); }
template <class T, int N> __host__ __device__ T sum(const T (&a)[N]) { T s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
template <class T> __host__ __device__ T to(float x) { return (T)x; }
template <> __host__ __device__ int to(float x) { return (int)x + 100; }
template <class T, int V> struct alignas(sizeof(T) * V) vec { T of[V]; };
struct pair { int a, b; };
enum color { RED, GREEN };
int main()
{
    int x[3] = {1, 2, 3}; const int y[2] = {4, 5};
    printf("%d %d %d %d\n", f<g<double>>(1), sum(x), sum(y), sum<int, 3>(x));
    printf("%d %d\n", to<int>(2.5f), (int)to<long>(2.5f));
    pair p[2]; p[1] = {3, 4}; p[0] = {7}; printf("%d %d %d %d\n", p[0].a, p[0].b, p[1].a, p[1].b);
    intmax_t big = -1; uintmax_t ubig = 2; std::intmax_t third = 3; printf("%d %d %d\n", (int)big, (int)ubig, (int)third);
    printf("%zu\n", alignof(vec<double, 4>));
}

// out: 9 6 9 6
// out: 102 2
// out: 7 0 3 4
// out: -1 2 3
// out: 32
