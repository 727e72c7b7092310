// `constexpr` functions in constant expressions, recursive ones too, and members that they initialise; g++ agrees.
#include <stdio.h>

constexpr int square(int x) { return x * x; }
constexpr int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
constexpr unsigned long fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
constexpr int logarithm(int n)
{
    int result = 0;
    while (n > 1) {
        n >>= 1;
        result++;
    }
    return result;
}
constexpr int sum(int n)
{
    int s = 0;
    for (int i = 0; i <= n; ++i) {
        if (i % 3 == 0)
            continue;
        if (i > 20)
            break;
        s += i;
    }
    return s;
}
constexpr int kind(char c)
{
    switch (c) {
    case 'a':
    case 'b':
        return 1;
    case 'z': {
        int n = 3;
        do
            n--;
        while (n > 2);
        return n;
    }
    default:
        break;
    }
    return -1;
}
constexpr bool even(int n);
constexpr bool odd(int n) { return n == 0 ? false : even(n - 1); }
constexpr bool even(int n) { return n == 0 ? true : odd(n - 1); }
template <class T> constexpr T largest(T a, T b) { return a > b ? a : b; }
template <int n> constexpr int power(int of)
{
    if constexpr (n == 0)
        return 1;
    else
        return of * power<n - 1>(of);
}
constexpr double half(double x) { return x / 2; }
constexpr float scaled(float x, int by) { return x * by + 0.5f; }
constexpr int overflow(unsigned char c) { return ++c; }

struct Sizes {
    static constexpr int width = square(4);
    static constexpr int height = factorial(4);
    static constexpr double ratio = half(7);
    int cells[width][logarithm(height)];
};
template <int n> struct Tree {
    static constexpr int depth = logarithm(n);
    static constexpr unsigned long nodes = fibonacci(n);
    static constexpr int below = Tree<n / 2>::depth + 1;
    int level[depth + 1];
};
template <> struct Tree<1> {
    static constexpr int depth = 0;
};
template <int n> struct Of { int a[n]; };
enum Bits { LOW = square(2), HIGH = 1 << logarithm(1000) };
struct Field { unsigned low : square(2); unsigned high : factorial(3); };

constexpr int table[square(2)] = {square(1), square(2), square(3), square(4)};
constexpr int chosen = largest(square(3), factorial(3));
static_assert(square(12) == 144, "square");
static_assert(even(10) && !odd(10), "even");
static_assert(sum(30) == 147, "sum");
static_assert(kind('a') == 1 && kind('z') == 2 && kind('q') == -1, "kind");
static_assert(power<5>(2) == 32, "power");
static_assert(overflow(255) == 0, "wraps");
static_assert(half(5) == 2.5 && scaled(1.5f, 3) == 5, "floating");
static_assert(factorial(10) == 3628800 && fibonacci(15) == 610, "recursive");

int main()
{
    Of<square(3)> of;
    int row[factorial(3)] = {};
    printf("%zu %zu %zu\n", sizeof(of) / sizeof(int), sizeof(row) / sizeof(int), sizeof(Sizes) / sizeof(int));
    printf("%d %d %g\n", Sizes::width, Sizes::height, Sizes::ratio);
    printf("%d %lu %d %zu\n", Tree<16>::depth, Tree<16>::nodes, Tree<16>::below, sizeof(Tree<8>) / sizeof(int));
    printf("%d %d %zu %d %d\n", LOW, HIGH, sizeof(Field), table[3], chosen);
    int n = 5;
    constexpr int inside = largest<int>(factorial(5), 7);
    static constexpr int kept = square(inside);
    switch (n * n) {
    case square(5):
        printf("%d %d %d\n", inside, kept, factorial(n));
    }
    const int known = square(3);
    int by_known[known];
    printf("%zu\n", sizeof(by_known) / sizeof(int));
}

// out: 9 6 64
// out: 16 24 3.5
// out: 4 987 4 4
// out: 4 512 4 16 9
// out: 120 14400 120
// out: 9
