// Names in parentheses, `nullptr`, explicit constructors, and structures beside functions of their name; g++ prints the same.
#include <cstdio>

namespace space {
struct key { int v; };
int find(key) { return 1; }
}
template <class T> int find(T) { return 2; }

int taken(bool) { return 1; }
template <class T> int taken(T) { return 2; }
int pointed(bool) { return 1; }
int pointed(void *) { return 2; }

struct S {
    int v;
    S(char c) : v(c) {}
    explicit S(int n) : v(n) {}
};
int made(S s) { return s.v; }
int made(double) { return 1; }
struct E {
    int v;
    E() : v(1) {}
    explicit E(unsigned n) : v(n) {}
    operator bool() const { return v != 0; }
};
int operator<(const E &, bool) { return 3; }

int twice(int n) { return 2 * n; }
struct twice { int v; };
namespace inner { int half(int n) { return n / 2; } }
namespace inner { struct half { int v; half(int) : v(99) {} operator int() const { return v; } }; }

int bound(const unsigned char &) { return 1; }
template <class T> int bound(T) { return 2; }
int binds(const int &) { return 1; }
int binds(int &) { return 2; }
int binds(int &&) { return 3; }

int main()
{
    unsigned char byte = 1;
    int whole = 2;
    printf("%d %d %d %d\n", bound(byte), binds(whole), binds(3), binds((const int &)whole));
    space::key k = {4};
    printf("%d %d\n", find(k), (find)(k));
    printf("%d %d\n", taken(nullptr), pointed(nullptr));
    printf("%d %d\n", (int)(2l < E()), made(7));
    printf("%d %d\n", S(65).v, static_cast<S>(66).v);
    struct twice t = {5};
    printf("%d %d\n", twice(4), t.v);
    printf("%d\n", (int)inner::half(8));
}

// out: 1 2 3 1
// out: 1 2
// out: 2 2
// out: 0 1
// out: 65 66
// out: 8 5
// out: 4
