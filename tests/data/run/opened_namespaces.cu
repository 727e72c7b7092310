// `using namespace` in files, namespaces and blocks, and inline namespaces, as g++ reads them.
#include <stdio.h>
#define HD __host__ __device__
namespace a { const int x = 1; HD int f(int) { return 1; } struct T { int v; }; HD int only() { return 3; } }
namespace b { const int x = 2; HD int f(float) { return 2; } struct U { double v; }; }
HD int f(double) { return 9; }
HD int g1() { using namespace a; return x; }
HD int g2() { using namespace b; return x; }
HD int g3() { using namespace a; return f(1) * 10 + f(1.0); }
HD int g4() { return f(1); }
const int y = 5;
namespace c { const int y = 6; namespace d { const int y = 7; } }
HD int g5()
{
    int s = y;
    { using namespace c::d; s = s * 10 + c::y; }
    { using c::y; s = s * 10 + y; }
    return s * 10 + y;
}
namespace outer {
HD int h(long) { return 1; }
namespace p { HD int h(int) { return 2; } HD int q() { return 4; } }
HD int g6() { using namespace p; return h(1) * 10 + h(1L); }
namespace q2 { using namespace p; HD int g7() { return q() * 10 + h(3); } }
HD int g8() { using namespace q2; return q() + g7(); }
}
namespace lib {
inline namespace v2 { struct S { int v; }; HD int size(S s) { return s.v; } HD int top() { return 8; } template <class T> HD T twice(T t) { return t + t; } }
HD int user() { S s = {2}; return size(s) + top(); }
HD int beside(S s) { return s.v + 1; }
}
inline namespace w1 { struct W { int v; }; HD int wf() { return 6; } }
namespace r { using namespace lib; HD int k() { return lib::top(); } }
template <class T> HD int tt(T t) { using namespace a; return x + only() + f(t); }
HD int lam() { using namespace a; auto l = [](int i) { return i + x + only(); }; return l(1); }
HD int types() { using namespace a; T t = {4}; return t.v + [] { using namespace b; U u = {2.5}; return (int)(u.v * 2); }(); }
HD int all(int part)
{
    if (part == 0) { return g1() + 10 * g2() + 1000 * g3() + 100000 * g4() + 1000000 * lam(); }
    if (part == 1) { return g5(); }
    if (part == 2) { return outer::g6() * 10000 + outer::q2::g7() * 100 + outer::g8(); }
    lib::S s = {3};
    lib::v2::S t = {4};
    W w = {1};
    w1::W w2 = w;
    return size(s) + 10 * lib::size(t) + 100 * lib::v2::top() + 1000 * lib::twice(3) + lib::user() * 10000
        + beside(t) * 1000000 + (w2.v + wf() + ::wf() + r::k()) * 10 + r::top() + tt(1) * 3 + types();
}

__global__ void of_device(int *out) { out[threadIdx.x] = all(threadIdx.x); }

int main()
{
    int *out;
    cudaMallocManaged(&out, 4 * sizeof *out);
    of_device<<<1, 4>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", all(0), all(1), all(2), all(3));
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    return 0;
}

// out: 5919021 5665 214246 5107085
// out: 5919021 5665 214246 5107085
