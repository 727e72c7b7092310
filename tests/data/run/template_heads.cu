// Heads of templates need the types of temporaries and of functions without bodies. g++ prints the same.
#include <cstdio>
#include <utility>

struct goes {
    int v;
    goes(int v = 0) : v(v) {}
    int go(const goes &) const { return 1; }
    int go(int) const { return 1; }
    operator int() const { return 0; }
};
struct stays {
    operator int() const { return 0; }
};
template <class T> T made();
template <class T> int measure(const T &);

namespace braces {
template <class T, class = decltype(T{}.go(1))> int h(T) { return 5; }
int h(int) { return 6; }
}
namespace result {
template <class T> auto h(T v) -> decltype(T(v).go(T())) { return 5; }
int h(int) { return 6; }
}
namespace number {
template <class T, int = sizeof(T().go(1))> int h(T) { return 5; }
int h(int) { return 6; }
}
namespace reference {
template <class T> decltype(T().go(T{}) + measure(T())) h(T) { return 5; }
int h(int) { return 6; }
}
namespace declared {
template <class T, class = decltype(made<T>().go(made<T>()))> int h(T) { return 5; }
int h(int) { return 6; }
}
namespace library {
template <class T, class = decltype(std::declval<T>().go(1))> int h(T) { return 5; }
int h(int) { return 6; }
}
namespace library_result {
template <class T> auto h(T) -> decltype(std::declval<T>().go(std::declval<T>())) { return 5; }
int h(int) { return 6; }
}
namespace member {
struct maker {
    template <class T> static auto h(T) -> decltype(made<T>().go(1)) { return 5; }
    static int h(int) { return 6; }
};
template <class T> int h(T v) { return maker::h(v); }
}

template <class T> T made() { return T(); }

int main()
{
    printf("%d %d\n", braces::h(goes()), braces::h(stays()));
    printf("%d %d\n", result::h(goes()), result::h(stays()));
    printf("%d %d\n", number::h(goes()), number::h(stays()));
    printf("%d %d\n", reference::h(goes()), reference::h(stays()));
    printf("%d %d\n", declared::h(goes()), declared::h(stays()));
    printf("%d %d\n", library::h(goes()), library::h(stays()));
    printf("%d %d\n", library_result::h(goes()), library_result::h(stays()));
    printf("%d %d\n", member::h(goes()), member::h(stays()));
    printf("%d %d\n", (int)sizeof(made<goes>()), made<goes>().v);
}
// out: 5 6
// out: 5 6
// out: 5 6
// out: 5 6
// out: 5 6
// out: 5 6
// out: 5 6
// out: 5 6
// out: 4 0
