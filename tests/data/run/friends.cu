// Friends, in which a class is named without its arguments, are found by the types of arguments alone. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace friend_injected {
template <class T> struct V { T x; HD V(T x) : x(x) {} friend HD V operator+(V a, V b) { return V(a.x + b.x); } friend HD V operator*(const V &a, T s) { return V(a.x * s); } friend HD bool operator==(const V &a, const V &b) { return a.x == b.x; } };
HD long test() { V<int> a(3), b(4); V<int> c = a + b * 2; return c.x * 10 + (c == V<int>(11)); }
}
namespace friend_injected3 {
struct M { int v; friend HD M operator-(M a, M b) { return M{a.v - b.v}; } friend HD int get(const M &m) { return m.v; } friend struct N; friend HD M make(int v) { return M{v}; } };
struct N { HD static int f(M m) { return m.v; } };
HD long test() { M a{9}, b{4}; return get(a - b) * 10 + N::f(a); }
}
namespace friend_injected4 {
template <class T, int N> class Vec { T d[N]; public: HD Vec() { for (int i = 0; i < N; i++) d[i] = 0; } HD T &operator[](int i) { return d[i]; } HD friend Vec operator+(const Vec &a, const Vec &b) { Vec r; for (int i = 0; i < N; i++) r.d[i] = a.d[i] + b.d[i]; return r; } HD friend T dot(const Vec &a, const Vec &b) { T s = 0; for (int i = 0; i < N; i++) s += a.d[i] * b.d[i]; return s; } };
HD long test() { Vec<int, 3> a, b; a[0] = 1; a[1] = 2; a[2] = 3; b[2] = 5; Vec<int, 3> c = a + b; return c[2] * 100 + dot(a, b); }
}
namespace friend_ops_more {
template <class T> struct C { T r, i; friend HD C operator+(C a, C b) { return {a.r + b.r, a.i + b.i}; } friend HD C operator*(T s, const C &a) { return {s * a.r, s * a.i}; } friend HD T norm(const C &c) { return c.r * c.r + c.i * c.i; } typedef T value; friend HD value re(C c) { return c.r; } };
HD long test() { C<int> a = {1, 2}, b = {3, 4}; C<int> c = 2 * (a + b); return norm(c) * 10 + re(c); }
}
namespace friend_declared {
struct A; HD int f(int); struct A { int v; friend HD int f(int); friend HD int g(A); friend HD int h(const A &, int); }; HD int g(A a) { return a.v; } HD int h(const A &a, int b) { return a.v * b; } HD int f(int x) { return x * 3; }
HD long test() { A a{5}; return f(2) * 100 + g(a) * 10 + h(a, 4) * 1000; }
}
namespace friend_ns {
namespace n { struct A { int v; friend HD int f(A a) { return a.v; } friend HD A operator-(A a) { return A{-a.v}; } }; struct B { A a; }; } HD int f(long) { return 9; }
HD long test() { n::A a{4}; return f(a) * 100 + f(3L) * 10 + f(-a); }
}
namespace hidden_friend {
struct A { int v; HD A(int v) : v(v) {} friend HD int f(A a) { return 1; } friend HD int g(int) { return 5; } }; HD int f(long) { return 2; } HD int g(long) { return 6; }
HD long test() { return f(A(1)) * 100 + f(3) * 10 + g(3); }
}
HD long all(int at) {
    switch (at) {
    case 0: return friend_injected::test();
    case 1: return friend_injected3::test();
    case 2: return friend_injected4::test();
    case 3: return friend_ops_more::test();
    case 4: return friend_declared::test();
    case 5: return friend_ns::test();
    case 6: return hidden_friend::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[7];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 7>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 7; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 7; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 111 111
// out: 59 59
// out: 815 815
// out: 2088 2088
// out: 20650 20650
// out: 486 486
// out: 126 126
