// Uses see only what is declared in front of them; what templates find by types of arguments may come later.
#include <stdio.h>
#define HD __host__ __device__
HD int f(double) { return 1; }
HD int g() { return f(1); }
HD int f(int) { return 2; }
const int x = 1;
namespace n { HD int f() { return x; } const int x = 2; HD int g() { return x; } }
struct S { HD int a() { return later() + K; } HD int later() { return 5; } enum { K = 3 }; };
HD int call(long) { return 1; }
template <class T> HD int t(T a) { return call(1) * 10 + adl(a); }
HD int call(int) { return 2; }
namespace z { struct Z {}; HD int adl(Z) { return 7; } }
template <class T> struct C { HD int m() { return call(2) + nx(); } HD int nx() { return y; } int y; };
HD int call(short) { return 9; }
template <class T> HD int fwd(T);
HD int helper() { return 4; }
template <class T> HD int fwd(T) { return helper(); }
template <class T> struct Fw;
const int W = 6;
template <class T> struct Fw { HD int v() { return W; } };
int mutual(int);
int mut2(int i) { return i ? mutual(i - 1) : 3; }
int mutual(int i) { return i ? mut2(i - 1) : 4; }
template <int (*F)(int)> HD int app() { return F(3); }
HD int sq(int a) { return a * a; }
template <class F> HD int run(F f) { return f(2); }
HD int lam() { auto l = [](int a) { return f(a) + a; }; return run(l); }
HD int all() { return g() + 10 * n::f() + 100 * n::g() + 1000 * S().a() + 10000 * t(z::Z()) + 1000000 * (C<int>{3}.m()) + 10000000 * fwd(1) + 100000000 * (Fw<int>().v()); }

__global__ void of_device(int *out)
{
    out[0] = all();
    out[1] = app<sq>() + lam();
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 2 * sizeof *out);
    of_device<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", all(), app<sq>() + lam(), mut2(3));
    printf("%d %d\n", out[0], out[1]);
    return 0;
}

// out: 645178211 13 4
// out: 645178211 13
