// `utility`: pairs. `std::swap`, `std::move`, `std::min` and `std::max` are built in.

#include <__traits.h>

namespace std {

template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    constexpr pair() : first(), second() {}
    constexpr pair(const A &a, const B &b) : first(a), second(b) {}
    template <class C, class D> constexpr pair(const pair<C, D> &other) : first(other.first), second(other.second) {}
    void swap(pair &other)
    {
        std::swap(first, other.first);
        std::swap(second, other.second);
    }
};

template <class A, class B> constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }

template <class A, class B> constexpr bool operator==(const pair<A, B> &a, const pair<A, B> &b)
{
    return a.first == b.first && a.second == b.second;
}
template <class A, class B> constexpr bool operator!=(const pair<A, B> &a, const pair<A, B> &b) { return !(a == b); }
template <class A, class B> constexpr bool operator<(const pair<A, B> &a, const pair<A, B> &b)
{
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <class A, class B> constexpr bool operator>(const pair<A, B> &a, const pair<A, B> &b) { return b < a; }
template <class A, class B> constexpr bool operator<=(const pair<A, B> &a, const pair<A, B> &b) { return !(b < a); }
template <class A, class B> constexpr bool operator>=(const pair<A, B> &a, const pair<A, B> &b) { return !(a < b); }

}
