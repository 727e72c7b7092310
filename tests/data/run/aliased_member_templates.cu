// Templates that are members, behind other names of their structure. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace alias_member_template {
template <class T> struct Tr { template <class U> struct rebind { typedef Tr<U> other; }; template <class U> HD static int f() { return sizeof(T) * 10 + sizeof(U); } template <class U> HD int g(U u) { return sizeof(U) + u; } typedef T type; };
using A = Tr<int>; typedef Tr<double> D;
HD long test() { A a; return A::f<char>() + A::template f<short>() * 100 + D::f<long>() * 10000 + a.g<char>(3) * 1000000 + sizeof(typename A::rebind<double>::other::type) * 100000000L; }
}
namespace alias_member_template2 {
template <class T> struct Tr { template <int N> struct arr { T d[N]; HD static int size() { return N; } }; template <class U> HD static U cast(T t) { return (U)t; } };
template <class T> HD int use(T t) { using X = Tr<T>; typedef typename X::template arr<3> A3; return X::template cast<int>(t) * 10 + A3::size(); }
template <class T> struct W { typedef Tr<T> tr; HD int f(T t) { return tr::template cast<int>(t + 1); } };
HD long test() { W<float> w; return use(4.5f) * 100 + w.f(7.2f); }
}
HD long all(int at) {
    switch (at) {
    case 0: return alias_member_template::test();
    case 1: return alias_member_template2::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[2];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 2>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 2; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 2; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 804884241 804884241
// out: 4308 4308
