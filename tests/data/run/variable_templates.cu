// Templates of variables, with specialisations; g++ agrees.
#include <stdio.h>

template <class T> constexpr T pi = T(3.14159265358979);
template <> constexpr int pi<int> = 3;
template <class T> constexpr bool is_small = sizeof(T) < 4;
template <int n> constexpr int squared = n * n;
template <int n> constexpr int factorial = n * factorial<n - 1>;
template <> constexpr int factorial<0> = 1;
template <class T, int n = 2> constexpr T powers[3] = {1, n, n * n};
template <class T> T counter = T(10);
namespace numbers {
template <typename T> constexpr T e{T(2.71828182845904)};
template <class T> struct limits { static constexpr int digits = is_small<T> ? 8 : 24; };
template <class T> constexpr int digits_of = limits<T>::digits;
}
template <class T> T area(T r) { return pi<T> * r * r; }

int main()
{
    printf("%.6f %.15f %d\n", pi<float>, pi<double>, pi<int>);
    printf("%d %d %d\n", is_small<char>, is_small<short>, is_small<int>);
    int a[squared<3>];
    printf("%zu %d\n", sizeof(a) / sizeof(int), factorial<6>);
    static_assert(squared<squared<2>> == 16, "nested");
    printf("%d %d %g\n", powers<int>[2], powers<int, 5>[1], powers<double, 7>[2]);
    counter<int>++;
    counter<int> += 4;
    counter<double> /= 4;
    printf("%d %g %ld\n", counter<int>, counter<double>, counter<long>);
    printf("%.4f %d %d\n", numbers::e<float>, numbers::digits_of<char>, numbers::digits_of<int>);
    printf("%.3f %.3f %d\n", area(2.0f), area(2.0), area(2));
}

// out: 3.141593 3.141592653589790 3
// out: 1 1 0
// out: 9 720
// out: 4 5 49
// out: 15 2.5 10
// out: 2.7183 8 24
// out: 12.566 12.566 12
