// Lambdas: what they capture, when, and of which type their results are; on both sides.
#include <cstdio>
#include <vector>
#include <string>
#include <algorithm>

template <class F> __global__ void apply(F f, int *out) { out[threadIdx.x] = f(threadIdx.x); }
template <class F> int twice(F f, int x) { return f(f(x)); }
static int outside = 5;
struct counter {
    int n = 10;
    int sum(const std::vector<int> &v)
    {
        int total = 0;
        std::for_each(v.begin(), v.end(), [&total, &n = n](int x) { total += x + n; });
        return total;
    }
};
template <class T> T scaled(T x)
{
    const T by = 3;
    auto times = [=](T y) { return by * y; };
    return times(x);
}

int main()
{
    int a = 1, b = 2, t[3] = {7, 8, 9};
    const int known = 40;
    auto value = [a](int x) { return a + x; };
    auto place = [&a](int x) { return a += x; };
    a = 10;
    printf("%d ", value(1));
    printf("%d ", place(5));
    printf("%d\n", a);
    auto grows = [a, b]() mutable { a += b; return a; };
    auto copy = grows;
    printf("%d ", grows());
    printf("%d %d %d\n", grows(), copy(), a);
    auto all = [=] { return a + b + t[2] + known + outside; };
    auto none = [](int x) -> double { return x / 2.0 + known + outside; };
    t[2] = 0, outside = 6;
    printf("%d %g %d\n", all(), none(3), twice([](int x) { return x * x; }, 3));
    auto named = [sum = a * b, text = std::string("text")](const char *more) { return text + more + std::to_string(sum); };
    printf("%s %d\n", named("!").c_str(), counter().sum({1, 2, 3}));
    auto inner = [&](int x) {
        auto deeper = [&, x](int y) {
            b += y;
            return x * b;
        };
        return deeper(x + 1);
    };
    printf("%d ", inner(4));
    printf("%d %g\n", b, scaled(1.5));
    auto any = [](auto x, auto y) { return x < y ? y : x; };
    printf("%d %g\n", any(3, 4), any(3, 4.5));
    printf("%d\n", [](int x) { return x + 1; }(41));
    auto nothing = [&] { b = 0; };
    nothing();
    printf("%d %zu %zu\n", b, sizeof value, sizeof nothing);
    int h[4], *d;
    cudaMalloc(&d, sizeof h);
    apply<<<1, 4>>>([=] __device__ (int i) { return i * a + known; }, d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
}

// out: 2 15 15
// out: 17 19 17 15
// out: 72 47.5 81
// out: text!30 36
// out: 28 7 4.5
// out: 4 4.5
// out: 42
// out: 0 4 8
// out: 40 55 70 85
