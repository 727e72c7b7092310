// Enumerations are types of their own: for overloads, templates, operators and bit-fields. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace overload_int_enum {
enum mode { clamp_mode, wrap_mode };
HD int at(int i) { return 10 + i; } HD int at(mode m) { return m == wrap_mode ? -1 : -2; }
HD long test() { return at(1) * 1000 + at(wrap_mode) * 10 + at(clamp_mode) + at((mode)1) + at(wrap_mode + 1) * 100000; }
}
namespace two_classes {
enum class A { x, y }; enum class B { x, y };
HD int f(A) { return 1; } HD int f(B) { return 2; } HD int f(int) { return 3; }
HD long test() { return f(A::y) * 100 + f(B::x) * 10 + f(1) + f((int)A::y) * 1000; }
}
namespace spec_class {
enum mode { a, b }; enum class other : unsigned { c };
template <class T> struct kind { static const int of = 0; };
template <> struct kind<mode> { static const int of = 7; };
template <> struct kind<unsigned> { static const int of = 9; };
template <> struct kind<int> { static const int of = 5; };
template <> struct kind<other> { static const int of = 3; };
HD long test() { return kind<mode>::of * 10000 + kind<unsigned>::of * 1000 + kind<int>::of * 100 + kind<other>::of * 10 + kind<long>::of; }
}
namespace partial_five {
enum e1 { p }; enum e2 { q }; enum class e3 { r }; enum class e4 : char { s };
template <class T, class U> struct P { enum { v = 0 }; };
template <class U> struct P<e1, U> { enum { v = 1 }; };
template <class U> struct P<e2, U> { enum { v = 2 }; };
template <class U> struct P<e3, U> { enum { v = 3 }; };
template <class U> struct P<e4, U> { enum { v = 4 }; };
HD long test() { return P<e1, int>::v * 10000 + P<e2, int>::v * 1000 + P<e3, char>::v * 100 + P<e4, float>::v * 10 + P<int, int>::v; }
}
namespace value_params {
enum mode { a, b, c }; enum class op { add, sub };
template <mode M> struct S { static HD int f() { return M * 10; } };
template <> struct S<b> { static HD int f() { return 77; } };
template <op O> HD int g(int x, int y) { return O == op::add ? x + y : x - y; }
template <> HD int g<op::sub>(int x, int y) { return y - x; }
HD long test() { return S<a>::f() + S<b>::f() * 10 + S<c>::f() * 1000 + g<op::add>(3, 4) * 100000 + g<op::sub>(3, 4) * 10000000; }
}
namespace function_spec {
enum mode { a, b };
template <class T> HD int f(T) { return 1; } template <> HD int f<mode>(mode) { return 2; } template <> HD int f<int>(int) { return 3; } template <> HD int f(unsigned) { return 4; }
HD long test() { return f(a) * 1000 + f(1) * 100 + f(1u) * 10 + f(a + 0) ; }
}
namespace deduce {
enum mode { a, b };
template <class T> struct id { static HD int v() { return 0; } }; template <> struct id<mode> { static HD int v() { return 5; } }; template <> struct id<int> { static HD int v() { return 6; } };
template <class T> HD int d(T *p) { return id<T>::v(); } template <class T> HD int e(const T &) { return id<T>::v(); } template <class T, int N> HD int g(T (&)[N]) { return id<T>::v() * N; }
HD long test() { mode m = b, arr[3] = {a, b, a}; int i = 4; return d(&m) * 1000 + d(&i) * 100 + e(m) * 10 + e(b) + g(arr) * 10000; }
}
namespace promo {
enum u8 : unsigned char { k = 200 }; enum i8 : signed char { n = -3 }; enum ll : long long { w = 1LL << 40 };
HD int f(int) { return 1; } HD int f(long) { return 2; } HD int f(unsigned char) { return 3; } HD int f(signed char) { return 4; } HD int f(long long) { return 5; }
HD long test() { return f(k) * 1000 + f(n) * 100 + f(w) * 10 + (k + 100 == 300) + (w >> 38) * 100000; }
}
namespace operators_scoped {
enum class F : unsigned { none = 0, a = 1, b = 2, c = 4 };
HD F operator|(F x, F y) { return F(unsigned(x) | unsigned(y) | 8u); } HD F operator&(F x, F y) { return F(unsigned(x) & unsigned(y)); }
HD bool any(F x) { return x != F::none; } HD F &operator|=(F &x, F y) { x = x | y; return x; } HD F operator~(F x) { return F(~unsigned(x) & 15u); } HD bool operator!(F x) { return x == F::none; }
HD long test() { F f = F::a | F::c; f |= F::b; return unsigned(f) * 1000 + any(f & F::c) * 100 + unsigned(~F::a) + !F::none + (F::a < F::b) * 10000; }
}
namespace operators_unscoped {
enum day { mon, tue, wed, thu, fri, sat, sun };
HD day operator+(day d, int n) { return day(((int)d + n) % 7); } HD day &operator++(day &d) { d = d + 1; return d; } HD day operator++(day &d, int) { day o = d; ++d; return o; }
HD int operator-(day a, day b) { return ((int)a - (int)b + 7) % 7; }
HD long test() { day d = sun; d++; ++d; return (int)d * 1000 + (mon - sun) * 100 + (int)(sat + 3) * 10 + (d == tue) + (sat * 2) * 10000 + (1 + sat) * 1000000; }
}
namespace operator_struct_vs_builtin {
enum e { two = 2, three };
struct V { int x; HD V(int x) : x(x) {} };
HD V operator+(V a, V b) { return V(a.x * b.x * 100); }
HD long test() { return two + three; }
}
namespace operator_template {
enum e { two = 2, three }; enum class s { p = 4, q = 8 };
template <class T> HD T operator|(T a, T b) { return T((int)a + (int)b); }
HD long test() { return (int)(two | three) * 100 + (int)(s::p | s::q); }
}
namespace operator_cmp_own {
enum e { lo, mid, hi };
HD bool operator<(e a, e b) { return (int)a > (int)b; }
HD long test() { return (lo < hi) * 10 + (hi < lo) + (lo > hi) * 100; }
}
namespace adl {
namespace n { enum class c { r, g }; enum u { k, l }; HD int name(c x) { return 5 + (int)x; } HD int name(u x) { return 50 + (int)x; } HD u operator*(u a, int b) { return u(a + b); } }
HD int name(int) { return 1; }
HD long test() { return name(n::c::g) * 10000 + name(n::l) * 100 + name(3) + (int)(n::l * 6) * 1000000; }
}
namespace switch_scoped {
enum class st : char { a = 'a', b, c };
HD int f(st s) { switch (s) { case st::a: return 1; case st::b: return 2; default: return 3; } }
HD long test() { return f(st::a) * 100 + f(st::b) * 10 + f(st::c) + (long)st::c * 1000 + sizeof(st) * 1000000; }
}
namespace bitfield {
enum e { a, b, c, d }; enum class s : unsigned { p, q, r, t }; enum neg { m = -2, z = 1 };
struct B { e x : 2; s y : 2; neg n : 3; unsigned w : 4; };
HD long test() { B v{}; v.x = d; v.y = s::t; v.n = m; v.w = 9; return v.x * 10000 + (int)v.y * 1000 + v.n * 100 + v.w + (v.x == d) * 7; }
}
namespace cond {
enum e { a, b, c }; enum f { x = 5, y };
HD int t(e) { return 1; } HD int t(int) { return 2; } HD int t(unsigned) { return 2; }
HD long test() { bool q = true; e v = q ? b : c; return t(q ? a : b) * 100 + t(q ? a : x) * 10 + v; }
}
namespace arrays {
enum idx { X, Y, Z, N }; HD long test() { int a[N] = {1, 2, 3}; a[Y] = 20; int *p = a; return p[X] + *(p + Y) + Z[a] + N * 100; }
}
namespace ptr {
enum e { a = 1, b = 300 }; HD void set(e *p, e v) { *p = v; } HD void set(int *p, e v) { *p = v * 2; }
HD long test() { e v = a; int i = 0; set(&v, b); set(&i, a); return v * 10 + i; }
}
namespace typedef_enum {
typedef enum { off, on } toggle; typedef enum tag2 { lo = -1, hi } level; HD int f(toggle) { return 1; } HD int f(level) { return 2; } HD int f(enum tag2 *) { return 3; }
HD long test() { level l = hi; return f(on) * 100 + f(lo) * 10 + f(&l); }
}
namespace member_enum {
struct S { enum kind { u, v }; enum class col { r }; kind k; HD S(kind k) : k(k) {} HD int f(kind q) const { return q == k ? 1 : 2; } HD int f(int) const { return 3; } };
template <class T> struct Q { enum en { one = 1, sz = sizeof(T) }; HD static int g(en e) { return e; } HD static int g(int) { return 100; } };
HD int h(Q<int>::en) { return 4; } HD int h(Q<double>::en) { return 5; } HD int h(int) { return 6; }
HD long test() { S s(S::v); return s.f(S::v) + s.f(S::u) * 10 + s.f(1) * 100 + h(Q<int>::sz) * 1000 + h(Q<double>::one) * 10000 + h(3) * 100000 + Q<char>::g(Q<char>::sz) * 1000000 + Q<char>::g(1) * 10000000L; }
}
namespace local_enum {
HD int f(int) { return 7; } template <class T> HD int f(T) { return 9; }
HD long test() { enum { A = 3, B }; enum L { C = 5 }; L l = C; return f(A) * 100 + f(l) * 10 + f(A + B) + l; }
}
namespace same_name_namespaces {
namespace p { enum m { a }; } namespace q { enum m { a }; }
template <class T> struct K { HD int f() { return sizeof(T) + base(T()); } HD static int base(p::m) { return 10; } HD static int base(q::m) { return 20; } };
HD long test() { K<p::m> x; K<q::m> y; return x.f() * 100 + y.f(); }
}
namespace underlying_neg {
enum e { m = -1, z }; enum big { h = 0x80000000u };
HD int f(int) { return 1; } HD int f(unsigned) { return 2; } HD int f(long) { return 3; } HD int f(unsigned long) { return 4; }
HD long test() { return f(m) * 10 + f(h); }
}
namespace brace {
enum class b : unsigned char {}; enum f : int { k = 2 };
HD long test() { b x = b{42}; f y = f(7); return (int)x + (int)y * 100 + (int)b(3) * 10000; }
}
namespace ctor_enum {
enum m { a, b }; struct S { int t; HD S(m) : t(1) {} HD S(int) : t(2) {} HD S(float) : t(3) {} };
HD int g(S s) { return s.t; } HD long test() { return S(a).t * 1000 + S(5).t * 100 + g(b) * 10 + g(2.0f); }
}
namespace default_arg {
enum m { a, b, c }; HD int f(int x, m k = b) { return x + k; } template <m K = c> HD int g() { return K; }
HD long test() { return f(1) * 100 + f(1, c) * 10 + g() + g<a>() * 1000; }
}
namespace union_struct {
enum m { a = 9, b }; union U { m e; int i; }; struct W { m e[2]; U u; };
HD long test() { W w = {{a, b}, {b}}; W v = w; v.u.e = a; return w.e[0] + w.e[1] * 100 + w.u.i * 10000 + v.u.e * 1000000; }
}
namespace lambda_enum {
enum m { a, b }; HD long test() { m k = b; auto f = [=](m x) { return x == k ? 3 : 4; }; return f(a) * 10 + f(b); }
}
namespace logical {
enum m { a, b }; enum class s { p, q }; HD long test() { return (a || b) * 100 + !a * 10 + (b && b) + (a ? 5 : 6) * 1000 + (s::p == s::q) + (s::p < s::q) * 10000; }
}
namespace c_style {
enum color { RED, GREEN = 5, BLUE }; struct P { enum color c; int n; };
HD long test() { struct P p = {GREEN, 2}; enum color d = (enum color)(p.c + 1); int i = d; unsigned u = p.c; float f = d; return i * 1000 + u * 100 + (d == BLUE) + (int)(f * 2) * 100000; }
}
namespace ref_enum {
enum m { a, b, c }; HD void next(m &x) { x = m((int)x + 1); } HD int rd(const m &x) { return x; } HD int rd(const int &x) { return 100 + x; }
HD long test() { m x = a; next(x); return rd(x) * 1000 + rd(2) + rd(x + 0) * 100000; }
}
namespace friend_ns {
namespace n { enum k { u, v }; template <class T> struct S { T t; }; template <class T> HD int f(S<T>) { return 1; } HD int f(S<k>) { return 2; } HD int f(S<int>) { return 3; } }
HD long test() { return f(n::S<n::k>()) * 100 + f(n::S<int>()) * 10 + f(n::S<unsigned>()); }
}
namespace same_enum_typedef {
enum m { a, b }; typedef m mm; using mu = m; HD int f(mm) { return 1; } HD int f(int) { return 2; } template <class T> struct is { enum { v = 0 }; }; template <> struct is<mu> { enum { v = 1 }; };
HD long test() { return f(a) * 100 + is<m>::v * 10 + is<mm>::v; }
}
namespace empty_enum {
enum class b : unsigned char {}; enum f : int { k = 2 };
HD long test() { b x = b{42}; f y = f(7); return (int)x + (int)y * 100 + (int)b(3) * 10000; }
}
namespace prefer_enum {
enum u8 : unsigned char { k = 200 }; enum s16 : short { m = -5 };
HD int f(int) { return 1; } HD int f(unsigned char) { return 3; } HD int g(int) { return 1; } HD int g(long) { return 2; } HD int h(short) { return 4; } HD int h(double) { return 5; }
HD long test() { return f(k) * 100 + g(k) * 10 + h(m) + (k + m) * 1000; }
}
HD long all(int at) {
    switch (at) {
    case 0: return overload_int_enum::test();
    case 1: return two_classes::test();
    case 2: return spec_class::test();
    case 3: return partial_five::test();
    case 4: return value_params::test();
    case 5: return function_spec::test();
    case 6: return deduce::test();
    case 7: return promo::test();
    case 8: return operators_scoped::test();
    case 9: return operators_unscoped::test();
    case 10: return operator_struct_vs_builtin::test();
    case 11: return operator_template::test();
    case 12: return operator_cmp_own::test();
    case 13: return adl::test();
    case 14: return switch_scoped::test();
    case 15: return bitfield::test();
    case 16: return cond::test();
    case 17: return arrays::test();
    case 18: return ptr::test();
    case 19: return typedef_enum::test();
    case 20: return member_enum::test();
    case 21: return local_enum::test();
    case 22: return same_name_namespaces::test();
    case 23: return underlying_neg::test();
    case 24: return brace::test();
    case 25: return ctor_enum::test();
    case 26: return default_arg::test();
    case 27: return union_struct::test();
    case 28: return lambda_enum::test();
    case 29: return logical::test();
    case 30: return c_style::test();
    case 31: return ref_enum::test();
    case 32: return friend_ns::test();
    case 33: return same_enum_typedef::test();
    case 34: return empty_enum::test();
    case 35: return prefer_enum::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[36];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 36>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 36; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 36; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 1210987 1210987
// out: 3123 3123
// out: 79530 79530
// out: 12340 12340
// out: 10720770 10720770
// out: 2343 2343
// out: 155655 155655
// out: 403451 403451
// out: 25115 25115
// out: 6101111 6101111
// out: 5 5
// out: 512 512
// out: 1 1
// out: 7065101 7065101
// out: 1099123 1099123
// out: 32816 32816
// out: 121 121
// out: 324 324
// out: 3002 3002
// out: 123 123
// out: 1001654321 1001654321
// out: 1002 1002
// out: 1424 1424
// out: 12 12
// out: 30742 30742
// out: 1213 1213
// out: 232 232
// out: 9101009 9101009
// out: 43 43
// out: 16111 16111
// out: 1206501 1206501
// out: 10101102 10101102
// out: 231 231
// out: 111 111
// out: 30742 30742
// out: 195314 195314
