// What all containers and algorithms need: `iterator`, lists in braces, and what ends a program where the standard
// library throws. The iterators of vectors, arrays and strings are pointers.

#include <__utility.h>

namespace std {

// Ends the program as an exception does that nothing catches.
static inline void __throw(const char *type, const char *what)
{
    fprintf(stderr, "terminate called after throwing an instance of '%s'\n  what():  %s\n", type, what);
    abort();
}
// The same in a program with handlers, one of which might catch it.
static inline void __throw_to_handler(const char *type, const char *what)
{
    fprintf(stderr, "unsupported: an exception of type '%s' (%s) in a program that catches exceptions\n", type, what);
    abort();
}

struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag {};
struct bidirectional_iterator_tag {};
struct random_access_iterator_tag {};

template <class It> struct iterator_traits {
    typedef typename It::value_type value_type;
    typedef ptrdiff_t difference_type;
    typedef typename It::iterator_category iterator_category;
};
template <class T> struct iterator_traits<T *> {
    typedef T value_type;
    typedef ptrdiff_t difference_type;
    typedef random_access_iterator_tag iterator_category;
};
template <class T> struct iterator_traits<const T *> {
    typedef T value_type;
    typedef ptrdiff_t difference_type;
    typedef random_access_iterator_tag iterator_category;
};

// Goes through a range from its end to its begin.
template <class T> struct reverse_iterator;
template <class T> struct reverse_iterator<T *> {
    T *at;
    typedef typename remove_const<T>::type value_type;
    typedef random_access_iterator_tag iterator_category;
    reverse_iterator() : at(nullptr) {}
    explicit reverse_iterator(T *at) : at(at) {}
    T *base() const { return at; }
    T &operator*() const { return at[-1]; }
    T *operator->() const { return at - 1; }
    T &operator[](ptrdiff_t n) const { return at[-1 - n]; }
    reverse_iterator &operator++()
    {
        --at;
        return *this;
    }
    reverse_iterator operator++(int) { return reverse_iterator(at--); }
    reverse_iterator &operator--()
    {
        ++at;
        return *this;
    }
    reverse_iterator operator--(int) { return reverse_iterator(at++); }
    reverse_iterator &operator+=(ptrdiff_t n)
    {
        at -= n;
        return *this;
    }
    reverse_iterator &operator-=(ptrdiff_t n)
    {
        at += n;
        return *this;
    }
    reverse_iterator operator+(ptrdiff_t n) const { return reverse_iterator(at - n); }
    reverse_iterator operator-(ptrdiff_t n) const { return reverse_iterator(at + n); }
};
template <class T> ptrdiff_t operator-(const reverse_iterator<T *> &a, const reverse_iterator<T *> &b)
{
    return b.at - a.at;
}
template <class T> bool operator==(const reverse_iterator<T *> &a, const reverse_iterator<T *> &b)
{
    return a.at == b.at;
}
template <class T> bool operator!=(const reverse_iterator<T *> &a, const reverse_iterator<T *> &b)
{
    return a.at != b.at;
}
template <class T> bool operator<(const reverse_iterator<T *> &a, const reverse_iterator<T *> &b)
{
    return b.at < a.at;
}
template <class T> bool operator>(const reverse_iterator<T *> &a, const reverse_iterator<T *> &b) { return b < a; }
template <class T> bool operator<=(const reverse_iterator<T *> &a, const reverse_iterator<T *> &b) { return !(b < a); }
template <class T> bool operator>=(const reverse_iterator<T *> &a, const reverse_iterator<T *> &b) { return !(a < b); }

// Appends what is assigned to it to a container.
template <class C> struct back_insert_iterator {
    C *to;
    explicit back_insert_iterator(C &to) : to(&to) {}
    back_insert_iterator &operator=(const typename C::value_type &value)
    {
        to->push_back(value);
        return *this;
    }
    back_insert_iterator &operator*() { return *this; }
    back_insert_iterator &operator++() { return *this; }
};
template <class C> back_insert_iterator<C> back_inserter(C &to) { return back_insert_iterator<C>(to); }

template <class It> ptrdiff_t distance(It first, It last)
{
    ptrdiff_t n = 0;
    if constexpr (is_same<typename iterator_traits<It>::iterator_category, random_access_iterator_tag>::value)
        n = last - first;
    else
        for (; first != last; ++first)
            ++n;
    return n;
}
template <class It, class N> void advance(It &it, N n)
{
    for (; n > 0; --n)
        ++it;
    for (; n < 0; ++n)
        --it;
}
template <class T, class N> void advance(T *&it, N n) { it += n; }
template <class It> It next(It it) { return ++it; }
template <class It> It next(It it, ptrdiff_t n)
{
    std::advance(it, n);
    return it;
}
template <class It> It prev(It it) { return --it; }
template <class It> It prev(It it, ptrdiff_t n)
{
    std::advance(it, -n);
    return it;
}

template <class T> class initializer_list {
    const T *__first;
    size_t __length;

public:
    typedef T value_type;
    typedef const T *iterator;
    typedef const T *const_iterator;
    initializer_list() : __first(nullptr), __length(0) {}
    initializer_list(const T *first, size_t length) : __first(first), __length(length) {}
    const T *begin() const { return __first; }
    const T *end() const { return __first + __length; }
    size_t size() const { return __length; }
};

template <class C> auto begin(C &of) -> typename C::iterator { return of.begin(); }
template <class C> auto end(C &of) -> typename C::iterator { return of.end(); }
template <class C> auto begin(const C &of) -> typename C::const_iterator { return of.begin(); }
template <class C> auto end(const C &of) -> typename C::const_iterator { return of.end(); }
template <class T, size_t n> T *begin(T (&of)[n]) { return of; }
template <class T, size_t n> T *end(T (&of)[n]) { return of + n; }
template <class C> size_t size(const C &of) { return of.size(); }
template <class T, size_t n> constexpr size_t size(const T (&of)[n]) { return n; }
template <class C> bool empty(const C &of) { return of.empty(); }

// What `vector` and `string` bring along of the algorithms.

struct __less {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a < b; }
};

template <class It, class It2> bool equal(It first, It last, It2 other)
{
    for (; first != last; ++first, ++other)
        if (!(*first == *other))
            return false;
    return true;
}
template <class It, class It2, class P> bool equal(It first, It last, It2 other, P same)
{
    for (; first != last; ++first, ++other)
        if (!same(*first, *other))
            return false;
    return true;
}
template <class It, class It2> bool lexicographical_compare(It a, It a_end, It2 b, It2 b_end)
{
    for (; a != a_end && b != b_end; ++a, ++b) {
        if (*a < *b)
            return true;
        if (*b < *a)
            return false;
    }
    return a == a_end && b != b_end;
}

template <class It, class Out> Out copy(It first, It last, Out out)
{
    for (; first != last; ++first, ++out)
        *out = *first;
    return out;
}
template <class It, class Out> Out copy_backward(It first, It last, Out out)
{
    while (first != last)
        *--out = *--last;
    return out;
}
template <class It, class T> void fill(It first, It last, const T &value)
{
    for (; first != last; ++first)
        *first = value;
}
template <class It, class N, class T> It fill_n(It first, N n, const T &value)
{
    for (; n > 0; --n, ++first)
        *first = value;
    return first;
}
template <class A, class B> void iter_swap(A a, B b) { std::swap(*a, *b); }
template <class It, class It2> It2 swap_ranges(It first, It last, It2 other)
{
    for (; first != last; ++first, ++other)
        std::swap(*first, *other);
    return other;
}

}
