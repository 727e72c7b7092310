// Values in parentheses make no aggregate in C++17, so heads of templates that try it do not fit. g++ -std=c++17 prints the same.
#include <cstdio>

struct plain {
    int v;
    int go(int x) const { return v + x; }
};
struct made {
    int v;
    made(int v) : v(v) {}
    int go(int x) const { return v + x; }
};
struct source {
    operator plain() const { return plain{4}; }
};
union either {
    int i;
    float f;
    int go(int x) const { return i + x; }
};

namespace result {
template <class T> auto h(T *) -> decltype(T(1).go(1)) { return 5; }
int h(void *) { return 6; }
}
namespace parameter {
template <class T, class = decltype(T(1).go(1))> int h(T *) { return 5; }
int h(void *) { return 6; }
}
namespace braces {
template <class T, class = decltype(T{1}.go(1))> int h(T *) { return 5; }
int h(void *) { return 6; }
}
namespace nothing {
template <class T, class = decltype(T().go(1))> int h(T *) { return 5; }
int h(void *) { return 6; }
}
namespace casts {
template <class T, class = decltype(static_cast<T>(1).go(1))> int h(T *) { return 5; }
int h(void *) { return 6; }
}
namespace two {
template <class T, class = decltype(T(1, 2))> int h(T *) { return 5; }
int h(void *) { return 6; }
}
namespace copies {
template <class T, class = decltype(T(T{1}).go(1))> int h(T *) { return 5; }
int h(void *) { return 6; }
}
namespace conversions {
template <class T, class = decltype(T(source()).go(1))> int h(T *) { return 5; }
int h(void *) { return 6; }
}

struct holder {
    plain a, b;
    holder() : a{1}, b(source()) {}
};

int main()
{
    plain *p = nullptr;
    made *m = nullptr;
    either *e = nullptr;
    printf("%d %d %d\n", result::h(p), result::h(m), result::h(e));
    printf("%d %d %d\n", parameter::h(p), parameter::h(m), parameter::h(e));
    printf("%d %d\n", braces::h(p), braces::h(m));
    printf("%d %d\n", nothing::h(p), nothing::h(m));
    printf("%d %d\n", casts::h(p), casts::h(m));
    printf("%d %d\n", two::h(p), two::h(m));
    printf("%d %d\n", copies::h(p), copies::h(m));
    printf("%d %d\n", conversions::h(p), conversions::h(m));
    plain from(source{}), again = plain(source());
    holder held;
    printf("%d %d %d %d\n", from.v, again.v, held.a.v, held.b.v);
}
// out: 6 5 6
// out: 6 5 6
// out: 5 5
// out: 5 6
// out: 6 5
// out: 6 6
// out: 5 5
// out: 5 6
// out: 4 4 1 4
