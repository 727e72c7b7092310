// `decltype(auto)`, and parameters named by a result type. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace decltype_auto_var {
HD long test() { int x = 3; int &r = x; decltype(auto) a = x; decltype(auto) b = r; b = 9; a = 4; int arr[2] = {1, 2}; decltype(auto) c = arr[1]; c = 50; decltype(auto) d = x + 1; return x * 1000 + a * 100 + arr[1] + d * 100000; }
}
namespace decltype_auto_fn {
struct S { int a[3]; HD decltype(auto) at(int i) { return a[i]; } HD decltype(auto) first() const { return a[0] + 1; } };
HD decltype(auto) twice(int x) { return x * 2; } template <class F> HD decltype(auto) call(F f, int x) { return f(x); }
HD int &ref(int &x) { return x; } HD decltype(auto) pass(int &x) { return ref(x); } HD decltype(auto) val(int &x) { int y = x; return y; }
HD long test() { S s{{1, 2, 3}}; s.at(1) = 70; int z = 5; pass(z) = 6; return s.a[1] * 1000 + s.first() + twice(4) * 10 + call([](int v) { return v + 1; }, 8) * 100000 + z * 1000000 + val(z) * 10000000L; }
}
namespace decltype_auto_parentheses {
struct S { int a[3], b; HD decltype(auto) at(int i) { return (a[i]); } HD decltype(auto) part() { return (b); } HD decltype(auto) value() { return (b + 1); } HD decltype(auto) plain() { return b; } HD decltype(auto) own() { return (*this).b; } };
HD decltype(auto) same(int &x) { return (x); }
HD long test() { S s{{1, 2, 3}, 4}; s.at(1) = 9; s.part() = 6; int z = 1; same(z) = 8; decltype(auto) r = (z); r = 7; decltype(auto) v = (z + 1); v = 5; return s.a[1] * 10000 + s.b * 1000 + s.value() * 100 + s.plain() * 10 + z + s.own() * 100000; }
}
namespace decltype_auto_param {
HD decltype(auto) f(int &x) { return x; } HD long test() { int a = 4; f(a) = 7; return a; }
}
namespace decltype_auto_const {
struct S { const int k = 4; int m = 5; HD decltype(auto) g() { return k; } HD decltype(auto) h() { return m; } };
HD long test() { S s; return s.g() * 10 + s.h(); }
}
namespace decltype_sfinae {
template <class T> HD auto f(T t, int) -> decltype(t.foo()) { return 1; } template <class T> HD int f(T t, long) { return 2; } struct A { HD int foo() { return 5; } };
HD long test() { return f(A(), 0) * 10 + f(3, 0); }
}
HD long all(int at) {
    switch (at) {
    case 0: return decltype_auto_var::test();
    case 1: return decltype_auto_fn::test();
    case 2: return decltype_auto_param::test();
    case 3: return decltype_auto_const::test();
    case 4: return decltype_sfinae::test();
    case 5: return decltype_auto_parentheses::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[6];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 6>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 6; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 6; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 1009450 1009450
// out: 66970082 66970082
// out: 7 7
// out: 45 45
// out: 12 12
// out: 696767 696767
