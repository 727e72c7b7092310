// Calls that find functions by the types of their arguments, as g++ does.
#include <stdio.h>
#define HD __host__ __device__
namespace A { struct S { int x; }; HD int who(S &, S &) { return 1; } HD void swap(S &a, S &b) { a.x += 10; b.x += 10; } }
template <class T> HD int who(T &, T &) { return 2; }
namespace N { struct P { int x; }; HD int h(P p) { return 3; } HD int g(P) { return 4; } template <class T> struct Box { T t; }; }
struct Any { int y; HD Any(N::P p) : y(p.x) {} };
HD int h(Any) { return 5; }
HD int g(double) { return 6; }
namespace F { struct f2 { float x, y; };
HD f2 min(f2 a, f2 b) { return f2{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y}; }
HD f2 max(f2 a, f2 b) { return f2{a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y}; }
HD f2 abs(f2 a) { return f2{a.x < 0 ? -a.x : a.x, a.y < 0 ? -a.y : a.y}; }
HD float fmaf2(f2 a) { return a.x; }
HD f2 clampit(f2 a, f2 lo, f2 hi) { return max(lo, min(a, hi)); } }
namespace O { struct In { struct Deep { int v; }; }; HD int deep(In::Deep d) { return d.v; } HD int boxed(N::Box<In>) { return 7; } HD int ptr(In *) { return 8; } HD int arr(In (&)[2]) {return 9;} 
 template <class T> HD int t(T a) { return 11; } struct Q { int v; friend HD int fr(Q q) { return q.v + 100; } }; }
template <class T> HD int t(T a, int b) { return 12; }
struct M { HD int g(double) { return 20; } HD int call(N::P p) { return ::g(1.0) + N::g(p); } };
HD int deep(int) { return 0; }
HD int all()
{
    A::S a = {1}, b = {2};
    int s = who(a, b);
    swap(a, b);
    int i = 1, j = 2;
    s = s * 10 + who(i, j);
    N::P p = {7};
    s = s * 10 + h(p);
    s = s * 10 + g(p);
    s = s * 10 + g(2);
    F::f2 u = {1, -5}, v = {-3, 4};
    F::f2 w = min(u, v), x = max(u, v), y = abs(v), z = clampit(u, v, v);
    int r = (int)(w.x + 2 * w.y + 3 * x.x + 4 * x.y + 5 * y.x + z.x) + (3) + (6);
    O::In::Deep d = {5}; N::Box<O::In> bx; O::In arr2[2];
    r = r * 10 + deep(d) + boxed(bx) + ptr(&arr2[0]) + arr(arr2);
    O::Q q = {3};
    r = r * 10 + fr(q) + t(q) + t(3, 4) + t<int>(3, 4);
    M m; r += m.call(p) + a.x + b.x;
    return s * 1000 + r;
}

__global__ void of_device(int *out) { *out = all(); }

int main()
{
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    of_device<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", all(), *out);
    return 0;
}

// out: 12349161 12349161
