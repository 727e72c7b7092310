// Constants from parts of `constexpr` arrays and structures. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace carr_static {
struct L { static constexpr int t[4] = {2, 3, 5, 7}; }; template <int I> struct At { static constexpr int v = L::t[I]; };
HD long test() { return At<2>::v * 10 + At<3>::v; }
}
namespace carr_global {
constexpr int t[] = {4, 5, 6}; constexpr int two[2][3] = {{1, 2, 3}, {7, 8, 9}}; template <int N> HD int f() { return N * 10; }
HD long test() { int a[t[1]]; return sizeof(a) * 100 + f<t[2]>() + f<two[1][0]>() * 1000; }
}
namespace carr_local {
template <int N> HD int f() { return N * 10; }
HD long test() { constexpr int t[] = {4, 5, 6}; constexpr int k = t[0] + t[2]; int a[t[1]]; enum { E = t[2] }; return sizeof(a) * 100 + f<k>() + E; }
}
namespace carr_struct {
struct P { int x; short y; unsigned char z[3]; }; constexpr P p = {3, 4, {5, 250, 7}}; constexpr P q[2] = {{1, 2}, {8, -9, {1}}};
template <int N> HD int f() { return N; }
HD long test() { constexpr P l = {11, 12, {13}}; return f<p.x>() + f<p.y>() * 10 + f<p.z[1]>() * 100 + f<q[1].x>() * 100000 + f<q[1].y>() * 1000000L + f<q[0].z[2]>() * 7 + f<q[1].z[0]>() * 10000000L + f<l.z[0] + l.z[1]>() * 100000000L; }
}
namespace carr_case {
constexpr int c[3] = {10, 20, 30}; HD int f(int x) { switch (x) { case c[0]: return 1; case c[1]: return 2; case c[2]: return 3; } return 4; }
HD long test() { static_assert(c[2] == 30, ""); return f(10) * 1000 + f(20) * 100 + f(30) * 10 + f(5); }
}
namespace carr_negative {
constexpr signed char s[2] = {-3, 100}; constexpr unsigned u[2] = {0xffffffffu, 2}; constexpr bool b[2] = {true, false}; template <long N> HD long f() { return N; }
HD long test() { return f<s[0]>() * 10 + f<u[0]>() + f<b[0]>() * 1000; }
}
namespace carr_char {
constexpr char s[] = "hello"; template <int N> HD int f() { return N; } HD long test() { return f<s[1]>() * 1000 + f<sizeof(s)>() + f<s[5]>(); }
}
HD long all(int at) {
    switch (at) {
    case 0: return carr_static::test();
    case 1: return carr_global::test();
    case 2: return carr_local::test();
    case 3: return carr_struct::test();
    case 4: return carr_case::test();
    case 5: return carr_negative::test();
    case 6: return carr_char::test();
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

// out: 57 57
// out: 72060 72060
// out: 2106 2106
// out: 1301825043 1301825043
// out: 1234 1234
// out: 4294968265 4294968265
// out: 101006 101006
