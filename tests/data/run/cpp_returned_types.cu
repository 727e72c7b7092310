// Functions whose result is `auto` and is a lambda with captures, or a structure of their own.
#include <cstdio>
#define ADD(n) [n](int x) { return x + n; }
__device__ auto adder(int n) { return [n](int x) { return x + n; }; }
__device__ auto nested(int n)
{
    return [n](int x) {
        auto g = [x, n](int y) { return x * n + y; };
        return g;
    };
}
__global__ void kernel(int *out)
{
    auto f = adder(10);
    out[0] = f(3);
    out[1] = nested(4)(5)(6);
}
auto times(int n) { return [n](int k) { return n * k; }; }
auto two(int a, int b)
{
    auto f = ADD(a);
    auto g = ADD(b);
    return [f, g](int x) { return f(x) * 100 + g(x); };
}
template <class T> auto scale(T t) { return [t](T x) { return x * t; }; }
auto point(int x, int y)
{
    struct P {
        int x, y;
        int sum() const { return x + y; }
    };
    P p{x, y};
    return p;
}
struct holder {
    int v;
    auto get() const
    {
        int w = v;
        return [w](int x) { return w - x; };
    }
};
auto counter(int n) { return [n]() mutable { return n++; }; }
auto either(bool b, int n)
{
    auto f = [n](int x) { return x + n; };
    if (b) return f;
    return f;
}
int main()
{
    int *device, out[2];
    cudaMalloc(&device, sizeof out);
    kernel<<<1, 1>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    printf("%d %d\n", out[0], out[1]);
    printf("%d %d\n", times(4)(3), two(1, 2)(3));
    printf("%g %d\n", scale(2.5)(3.0), scale(3)(4));
    holder h = {9};
    printf("%d %d\n", point(3, 4).sum(), h.get()(2));
    auto c = counter(5);
    int first = c(), second = c();
    printf("%d %d %d\n", first, second, either(true, 3)(4));
}
// out: 13 26
// out: 12 405
// out: 7.5 12
// out: 7 7
// out: 5 6 7
