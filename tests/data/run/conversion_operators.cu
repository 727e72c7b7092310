// Structures with several functions that convert them, explicit ones too. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace conv_two {
struct V { int x; HD explicit operator bool() const { return x != 0; } HD operator int() const { return x; } };
HD long test() { V a{5}, z{0}; return (a ? 1 : 0) * 1000 + (z ? 1 : 0) * 100 + (a + 1) + !z * 10000 + (a && z) * 5 + (a || z) * 100000; }
}
namespace conv_int_double {
struct V { int x; HD operator int() const { return x; } HD operator double() const { return x + 0.5; } };
HD long test() { V a{5}; int i = a; double d = a; int j = (int)a; double e = static_cast<double>(a); return i * 1000 + (long)(d * 2) * 10 + j + (long)(e * 2) * 100000; }
}
namespace conv_ptr {
struct V { int a[3]; HD operator const int *() const { return a; } HD explicit operator bool() const { return a[0] == 7; } };
HD int sum(const int *p) { return p[0] + p[1] + p[2]; }
HD long test() { V v{{7, 2, 3}}; const int *p = v; return sum(v) * 100 + *p + (v ? 1 : 2) * 10000; }
}
namespace conv_struct {
struct A { int x; }; struct B { int y; };
struct V { int x; HD operator A() const { return A{x + 1}; } HD operator B() const { return B{x + 2}; } };
HD int f(A a) { return a.x; } HD int g(B b) { return b.y * 10; }
HD long test() { V v{5}; A a = v; B b = v; return f(a) + g(b) + f(v) * 1000 + g(v) * 10000; }
}
namespace conv_enum {
enum m { p, q = 4 }; struct V { int x; HD operator m() const { return m(x); } HD operator float() const { return x + 0.25f; } };
HD long test() { V v{4}; m e = v; float f = v; return e * 1000 + (long)(f * 4); }
}
namespace conv_template {
template <class T> struct R { T v; HD operator T() const { return v; } HD explicit operator bool() const { return v > 2; } };
HD long test() { R<int> a{2}, b{3}; R<float> c{2.5f}; return (a ? 1 : 0) + (b ? 10 : 0) + (c ? 100 : 0) + a * 1000 + (long)(c * 2) * 10000; }
}
namespace conv_explicit_only {
struct V { int x; HD explicit operator int() const { return x; } HD explicit operator long() const { return x * 2; } };
HD long test() { V v{4}; return (int)v + (long)v * 100 + static_cast<int>(v) * 10000; }
}
namespace conv_overload {
struct V { int x; HD operator int() const { return x; } HD explicit operator double() const { return 9; } };
HD int f(double) { return 1; } HD int f(const char *) { return 2; }
HD long test() { V v{4}; return f(v) * 10 + f(nullptr); }
}
namespace conv_while {
struct It { int n; HD explicit operator bool() const { return n > 0; } HD operator int() const { return n * 10; } };
HD long test() { It i = {3}; long s = 0; while (i) { s += i; --i.n; } It j = {2}; for (; j; --j.n) s += 1000; if (!i) s += 100000; do { s++; } while (i); return s + (i ? 1 : 2) + (j && i) + (j || !i) * 7; }
}
HD long all(int at) {
    switch (at) {
    case 0: return conv_two::test();
    case 1: return conv_int_double::test();
    case 2: return conv_ptr::test();
    case 3: return conv_struct::test();
    case 4: return conv_enum::test();
    case 5: return conv_template::test();
    case 6: return conv_explicit_only::test();
    case 7: return conv_overload::test();
    case 8: return conv_while::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[9];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 9>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 9; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 9; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 111006 111006
// out: 1105115 1105115
// out: 11207 11207
// out: 706076 706076
// out: 4017 4017
// out: 52110 52110
// out: 40804 40804
// out: 12 12
// out: 102070 102070
