// The same C++ on both sides: what the host computes, the device does too; g++ agrees.
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
#include <stdio.h>
template <class T> struct Stack { T a[10]; int n; HD Stack() : n(0) {} HD void push(const T &x) { a[n++] = x; } HD T pop() { return a[--n]; } HD bool empty() const { return n == 0; } HD T &top() { return a[n - 1]; } static int count; enum { size = 10 }; };
template <class T, int N> struct Vec { T d[N]; HD T &operator[](int i) { return d[i]; } HD const T &operator[](int i) const { return d[i]; }
  HD Vec operator+(const Vec &o) const { Vec r; for (int i = 0; i < N; i++) r.d[i] = d[i] + o.d[i]; return r; }
  HD Vec &operator*=(T s) { for (int i = 0; i < N; i++) d[i] *= s; return *this; }
  template <class U> HD Vec<U, N> as() const { Vec<U, N> r; for (int i = 0; i < N; i++) r[i] = (U)d[i]; return r; } };
template <class T, int N> HD T dot(const Vec<T, N> &a, const Vec<T, N> &b) { T s = 0; for (int i = 0; i < N; i++) s += a[i] * b[i]; return s; }
template <class T> struct Traits { HD static const char *name() { return "other"; } enum { id = 0 }; typedef T type; };
template <> struct Traits<int> { HD static const char *name() { return "int"; } enum { id = 1 }; typedef long type; };
template <class T> struct Traits<T *> { HD static const char *name() { return "pointer"; } enum { id = 2 }; typedef T type; };
template <int N> struct Fact { static const int value = N * Fact<N - 1>::value; };
template <> struct Fact<0> { static const int value = 1; };
template <class A, class B> struct Same { static const bool value = false; }; template <class A> struct Same<A, A> { static const bool value = true; };
template <class T> struct Plus { HD T operator()(T a, T b) const { return a + b; } };
template <class T> struct Max { HD T operator()(T a, T b) const { return a > b ? a : b; } };
template <class T, class Op> HD T reduce(const T *a, int n, Op op) { T r = a[0]; for (int i = 1; i < n; i++) r = op(r, a[i]); return r; }
template <typename T> using Pair = Vec<T, 2>;
template <class T> HD typename Traits<T>::type conv(T x) { typename Traits<T>::type y = (typename Traits<T>::type)x; return y; }
template <class T = float, int N = 3> HD T fill(T x = T(1)) { T s = 0; for (int i = 0; i < N; i++) s += x; return s; }
struct Node { int v; Node *next; HD Node(int v, Node *n = 0) : v(v), next(n) {} HD int sum() const { int s = 0; for (const Node *p = this; p; p = p->next) s += p->v; return s; } };
class Counter { int n; public: HD Counter() { n = 0; } HD Counter &operator++() { ++n; return *this; } HD Counter operator++(int) { Counter t = *this; ++n; return t; } HD int get() const { return n; } HD friend bool operator<(const Counter &a, int b) { return a.n < b; } HD Counter &add(int k) { this->n += k; return *this; } };
namespace a { namespace b { const int x = 4; HD int f() { return x; } } HD int f() { return 1 + b::f(); } struct P_ { int q; }; HD int take(P_ p) { return p.q; } HD bool operator==(const P_ &l, const P_ &r) { return l.q == r.q; } }
namespace a { HD int g() { return f() * 2; } }
using a::g;
union U { int i; float f; unsigned char c[4]; };
struct Def { int a = 3; float b = 1.5f; int c[2] = {4, 5}; };

#define P(x) out[n++] = (double)(x)
HD void test(double *out) { int n = 0;
  Stack<int> s; s.push(1); s.push(2); s.top() += 40; P(s.pop()); P(s.pop()); P(s.empty()); P(Stack<float>::size);
  Vec<float, 3> v = {{1, 2, 3}}, w = {{4, 5, 6}}; Vec<float, 3> z = v + w; z *= 2; P(z[0]); P(z[2]); P(dot(v, w));
  Vec<int, 3> iv = z.as<int>(); P(iv[1]); P(Traits<int *>::id); P(Fact<5>::value);
  P((Same<int, int>::value)); P((Same<int, long>::value));
  int arr[5] = {3, 9, 2, 7, 1}; P(reduce(arr, 5, Plus<int>())); P(reduce(arr, 5, Max<int>()));
  Pair<int> p = {{1, 2}}; P(p[1]); P(conv(5)); P(fill()); P((fill<int, 4>(2)));
  Node n3(3), n2(2, &n3), n1(1, &n2); P(n1.sum());
  Counter c; ++c; c++; c.add(5).add(6); P(c.get()); P(c < 20);
  P(a::f()); P(a::b::f()); P(g()); a::P_ q; q.q = 8; P(take(q)); P(q == q);
  U u; u.f = 1.0f; P(u.i); P(u.c[3]);
  Def d; Def e = {7}; P(d.a); P(d.b); P(d.c[1]); P(e.a); P(e.b);
  auto qq = v; qq[0] = 9; auto &r = v; r[0] = 8; P(qq[0]); P(v[0]);
  Vec<double, 4> many[3]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) many[i][j] = i * j; P(many[2][3]); Vec<double, 4> sum = many[1] + many[2]; P(sum[3]);
  Counter cs[4]; cs[2].add(3); P(cs[2].get() + cs[1].get());
  const Vec<double, 4> &ref = many[2]; P(ref[1]);
  P((true ? v : w)[1]);
}
#ifdef __CUDACC__
__global__ void k(double *o) { test(o); }
#endif
int main() {
  double h[64] = {0}; test(h); for (int i = 0; i < 50; i++) printf("%g ", h[i]); puts("");
#ifdef __CUDACC__
  double *d, g2[64]; cudaMalloc(&d, sizeof g2); k<<<1, 32>>>(d); cudaMemcpy(g2, d, sizeof g2, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 50; i++) if (g2[i] != h[i]) printf("differs %d %g %g\n", i, g2[i], h[i]);
#endif
}

// out: 42 1 1 10 10 18 32 14 2 120 1 0 22 9 2 5 3 8 6 13 1 5 4 10 8 1 1.06535e+09 63 3 1.5 5 7 1.5 9 8 6 9 3 2 2 0 0 0 0 0 0 0 0 0 0 
