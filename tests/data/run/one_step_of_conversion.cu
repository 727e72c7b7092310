// An implicit conversion has one step that the program defines; the sides of `?:` find their type by that.
#include <cstdio>

struct inner {
    int v;
    inner(long long n) : v(n) {}
};
struct outer {
    int v;
    outer() : v(44) {}
    outer(inner i) : v(i.v) {}
    operator int() const { return v + 1; }
};
struct source {
    operator outer() const { return outer(inner(7)); }
};
template <class T> struct name { static const int id = 9; };
template <> struct name<int> { static const int id = 23; };

int main()
{
    outer object;
    auto chosen = object.v ? 11 : object;
    printf("%d %d\n", name<decltype(chosen)>::id, chosen);
    outer direct(5);
    outer made = source();
    printf("%d %d\n", direct.v, made.v);
}

// out: 23 11
// out: 5 7
