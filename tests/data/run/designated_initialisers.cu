// Lists that name the members they are for. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace designated_basic {
struct P { int x; int y; float z; }; HD int f(P p) { return p.x * 100 + p.y * 10 + (int)p.z; }
HD long test() { P a = {.x = 1, .y = 2}; P b{.y = 5, .z = 3}; return f(a) * 1000 + f(b); }
}
namespace designated_nested {
struct I { int a, b; }; struct P { I i; int t[3]; int k; };
HD long test() { P p = {.i = {.a = 1, .b = 2}, .t = {3, 4}, .k = 9}; P q = {.i = {.b = 7}, .k = 1}; return p.i.a + p.i.b * 10 + p.t[1] * 100 + p.k * 1000 + q.i.b * 10000 + q.i.a * 5 + q.k * 100000; }
}
namespace designated_arg {
struct P { int x, y; }; HD int f(P p) { return p.x * 10 + p.y; } HD P mk() { return {.x = 3, .y = 4}; }
HD long test() { return f({.x = 1, .y = 2}) + f(P{.x = 5}) * 100 + f(mk()) * 10000; }
}
namespace designated_default {
struct P { int x = 4; int y = 5; int z = 6; }; HD long test() { P p = {.y = 9}; P q{.x = 1, .z = 2}; return p.x * 100 + p.y * 10 + p.z + (q.x * 100 + q.y * 10 + q.z) * 1000; }
}
namespace designated_union {
union U { int i; float f; }; struct S { U u; int k; }; HD long test() { U u = {.f = 1.0f}; S s = {.u = {.i = 5}, .k = 2}; return u.i + s.u.i * 10 + s.k; }
}
namespace designated_static {
struct C { int n; float s; const char *name; }; static const C c = {.n = 3, .s = 2.5f};
HD int g(int n) { return n; } long host() { return c.n; }
HD long test() { const C d = {.n = 7, .s = 1.5f}; return g(d.n) * 10 + (long)(d.s * 2); }
}
namespace nested_lists {
struct I { int a, b; }; struct P { I i; int t[2]; };
HD int f(P p) { return p.i.a * 1000 + p.i.b * 100 + p.t[0] * 10 + p.t[1]; } HD P mk() { return {{1, 2}, {3, 4}}; }
HD long test() { return f(P{{5, 6}, {7, 8}}) + f({{1, 1}, {2}}) * 10000 + f(mk()) * 100000000L; }
}
namespace designated_cond {
struct P { int x, y; }; HD long test() { bool q = true; P p = q ? P{.x = 3} : P{.y = 4}; P r; r = P{.x = 1, .y = 9}; P *t = &r; *t = {.x = 5}; return p.x * 100 + p.y * 10 + r.x * 1000 + r.y; }
}
HD long all(int at) {
    switch (at) {
    case 0: return designated_basic::test();
    case 1: return designated_nested::test();
    case 2: return designated_arg::test();
    case 3: return designated_default::test();
    case 4: return designated_union::test();
    case 5: return designated_static::test();
    case 6: return nested_lists::test();
    case 7: return designated_cond::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[8];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 8>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 8; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 8; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 120053 120053
// out: 179421 179421
// out: 345012 345012
// out: 152496 152496
// out: 1065353268 1065353268
// out: 73 73
// out: 123411205678 123411205678
// out: 5300 5300
