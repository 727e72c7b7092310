// References as arguments of templates, in traits, `decltype` and `forward`; g++ prints the same.
#include <cstdio>
#include <type_traits>
#include <utility>

template <class T> struct kind { static const int id = 0; };
template <class T> struct kind<T *> { static const int id = 1; };
template <class T> struct kind<T &> { static const int id = 10 + kind<T>::id; };
template <class T> struct kind<T &&> { static const int id = 20 + kind<T>::id; };
template <class T> struct kind<const T> { static const int id = 100 + kind<T>::id; };
template <> struct kind<int> { static const int id = 5; };

typedef int &alias;
using constant = const int &;

int lvalue(int &) { return 1; }
int lvalue(const int &) { return 2; }
int lvalue(int &&) { return 3; }

template <class T> int forwarded(T &&t) { return lvalue(std::forward<T>(t)); }
template <class T> int cast(T &&t) { return lvalue(static_cast<T &&>(t)); }
template <class T> int named(T &&) { return kind<T>::id; }
template <class T> int by_value(T) { return kind<T>::id; }
template <class T> T &same(T &t) { return t; }
template <class T> struct holder {
    T get(T t) { return t; }
    typedef T &&folded;
};

struct S {
    int v;
    int &get() { return v; }
    long get() const { return v; }
};
template <class T> using got = decltype(std::declval<T &>().get());

int main()
{
    int n = 7, &r = n, a[3] = {1, 2, 3};
    const int c = 8;
    int &&moved = 9;
    printf("%d %d %d\n", kind<int &>::id, kind<const int &>::id, kind<int *&&>::id);
    printf("%d %d %d\n", kind<alias>::id, kind<constant>::id, kind<int &>::id);
    printf("%d %d %d %d\n", named(n), named(c), named(3), named(a) > 0);
    printf("%d %d %d %d\n", forwarded(n), forwarded(c), forwarded(4), forwarded(moved));
    printf("%d %d %d\n", cast(n), cast(c), cast(4));
    printf("%d %d %d\n", by_value(n), by_value(r), by_value<int &>(n));
    printf("%d %d %d\n", kind<decltype(r)>::id, kind<decltype(moved)>::id, kind<decltype(same(n))>::id);
    printf("%d %d\n", kind<got<S>>::id, kind<got<const S>>::id);
    decltype(r) other = n;
    other = 11;
    holder<int &> h;
    h.get(n) += 1;
    printf("%d %d %d\n", n, kind<holder<int &>::folded>::id, kind<holder<int>::folded>::id);
    auto &&u = n;
    auto &&v = 5;
    u += v;
    printf("%d %d %d\n", n, kind<decltype(u)>::id, kind<decltype(v)>::id);
    printf("%d %d %d\n", (int)sizeof(int &), (int)sizeof(holder<char &>::folded), (int)alignof(double &));
    printf("%d %d %d\n", std::is_reference<int &>::value, std::is_lvalue_reference<int &&>::value,
           std::is_rvalue_reference<int &&>::value);
    printf("%d %d\n", std::is_same<std::remove_reference<const int &>::type, const int>::value,
           std::is_same<std::decay<const int (&)[4]>::type, const int *>::value);
    static_cast<int &>(n) = 20;
    printf("%d %d\n", n, lvalue(static_cast<const int &>(n)));
}

// out: 15 115 21
// out: 15 115 15
// out: 15 115 5 1
// out: 1 2 3 1
// out: 1 2 3
// out: 5 5 15
// out: 15 25 15
// out: 15 0
// out: 12 15 25
// out: 17 15 25
// out: 4 1 8
// out: 1 0 1
// out: 1 1
// out: 20 2
