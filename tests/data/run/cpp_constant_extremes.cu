// `std::min` and `std::max` in constants; g++ prints the same.
#include <algorithm>
#include <cstdio>
constexpr int N = 12; template <int M> int f() { return M; }
int main() { int a[std::min(N, 5)]; constexpr int k = std::max(N, 40); const int j = std::min(3, 9); int b[j]; printf("%d %d %d %d %d\n", (int)sizeof(a), k, (int)sizeof(b), f<std::max(2, 1)>(), f<std::min({7, 3, 5})>()); constexpr double d = std::max(1.5, 2.5); printf("%g %u %ld\n", d, f<std::min(4u, 9u)>(), (long)f<std::max(4L, 9L)>()); }

// out: 20 40 12 2 3
// out: 2.5 4 9
