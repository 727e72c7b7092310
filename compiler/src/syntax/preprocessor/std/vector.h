// `vector`: its memory grows as libstdc++'s does.

#include <__iterator.h>

namespace std {

template <class T> class vector {
    T *__first, *__last, *__end;

    // Memory for `n` elements.
    static T *__memory(size_t n)
    {
        if (n == 0)
            return nullptr;
        if (n > 0x7fffffffffffffffUL / sizeof(T))
            std::__throw("std::length_error", "cannot create std::vector larger than max_size()");
        T *made = (T *)malloc(n * sizeof(T));
        if (made == nullptr)
            std::__throw("std::bad_alloc", "std::bad_alloc");
        return made;
    }
    static void __destroy(T *first, T *last)
    {
        if constexpr (!__is_trivially_copyable(T))
            for (; first != last; ++first)
                first->~T();
    }
    static T *__move(T *first, T *last, T *to)
    {
        if constexpr (__is_trivially_copyable(T)) {
            if (first != last)
                memcpy(to, first, (last - first) * sizeof(T));
            return to + (last - first);
        } else {
            for (; first != last; ++first, ++to) {
                new (to) T(std::move(*first));
                first->~T();
            }
            return to;
        }
    }
    void __take(T *memory, size_t length, size_t capacity)
    {
        free(__first);
        __first = memory;
        __last = memory + length;
        __end = memory + capacity;
    }
    // The capacity after `n` more elements.
    size_t __grown(size_t n, const char *function) const
    {
        if (0x7fffffffffffffffUL / sizeof(T) - size() < n)
            std::__throw("std::length_error", function);
        return size() + (size() > n ? size() : n);
    }
    // Larger memory, in which the element behind the first `before` is made already.
    void __move_around(T *memory, size_t before, size_t grown)
    {
        const size_t length = size();
        __move(__first, __first + before, memory);
        __move(__first + before, __last, memory + before + 1);
        __take(memory, length + 1, grown);
    }
    void __grow(size_t before, const T &value)
    {
        const size_t grown = __grown(1, "vector::_M_realloc_insert");
        T *memory = __memory(grown);
        new (memory + before) T(value);
        __move_around(memory, before, grown);
    }
    // Makes room for `n` elements at `at`, where no object is then.
    T *__open(T *at, size_t n, const char *function)
    {
        const size_t before = at - __first, length = size();
        if (capacity() - length < n) {
            const size_t grown = __grown(n, function);
            T *memory = __memory(grown);
            __move(__first, at, memory);
            __move(at, __last, memory + before + n);
            __take(memory, length + n, grown);
        } else {
            if constexpr (__is_trivially_copyable(T)) {
                memmove(at + n, at, (__last - at) * sizeof(T));
            } else {
                for (T *from = __last; from != at;) {
                    --from;
                    new (from + n) T(std::move(*from));
                    from->~T();
                }
            }
            __last += n;
        }
        return __first + before;
    }
    void __append_default(size_t n)
    {
        if (capacity() - size() < n) {
            const size_t grown = __grown(n, "vector::_M_default_append"), length = size();
            T *memory = __memory(grown);
            __move(__first, __last, memory);
            __take(memory, length, grown);
        }
        if constexpr (__is_trivially_constructible(T) && __is_trivially_copyable(T)) {
            memset((void *)__last, 0, n * sizeof(T));
            __last += n;
        } else {
            for (; n > 0; --n, ++__last)
                new (__last) T();
        }
    }
    void __append(size_t n, const T &value)
    {
        for (; n > 0; --n, ++__last)
            new (__last) T(value);
    }
    template <class It> void __append_all(It first, It last)
    {
        for (; first != last; ++first, ++__last)
            new (__last) T(*first);
    }
    void __check(size_t n) const
    {
        if (n < size())
            return;
        char text[128];
        snprintf(
            text, sizeof text, "vector::_M_range_check: __n (which is %zu) >= this->size() (which is %zu)", n, size()
        );
        std::__throw("std::out_of_range", text);
    }

public:
    typedef T value_type;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T *iterator;
    typedef const T *const_iterator;
    typedef std::reverse_iterator<T *> reverse_iterator;
    typedef std::reverse_iterator<const T *> const_reverse_iterator;

    vector() : __first(nullptr), __last(nullptr), __end(nullptr) {}
    explicit vector(size_t n) : __first(__memory(n)), __last(__first), __end(__first + n)
    {
        // The memory is zero.
        if constexpr (__is_trivially_constructible(T) && __is_trivially_copyable(T))
            __last += n;
        else
            __append_default(n);
    }
    vector(size_t n, const T &value) : __first(__memory(n)), __last(__first), __end(__first + n) { __append(n, value); }
    template <class It>
    vector(It first, It last, typename iterator_traits<It>::iterator_category * = nullptr)
        : __first(__memory(std::distance(first, last))), __last(__first), __end(__first + std::distance(first, last))
    {
        __append_all(first, last);
    }
    vector(std::initializer_list<T> list) : __first(__memory(list.size())), __last(__first), __end(__first + list.size())
    {
        __append_all(list.begin(), list.end());
    }
    vector(const vector &other)
        : __first(__memory(other.size())), __last(__first), __end(__first + other.size())
    {
        __append_all(other.__first, other.__last);
    }
    vector(vector &&other) : __first(other.__first), __last(other.__last), __end(other.__end)
    {
        other.__first = other.__last = other.__end = nullptr;
    }
    ~vector()
    {
        __destroy(__first, __last);
        free(__first);
    }
    vector &operator=(const vector &other)
    {
        if (this != &other)
            assign(other.__first, other.__last);
        return *this;
    }
    vector &operator=(vector &&other)
    {
        if (this == &other)
            return *this;
        __destroy(__first, __last);
        __take(other.__first, other.size(), other.capacity());
        other.__first = other.__last = other.__end = nullptr;
        return *this;
    }
    vector &operator=(std::initializer_list<T> list)
    {
        assign(list.begin(), list.end());
        return *this;
    }

    void assign(size_t n, const T &value)
    {
        const T copy(value);
        clear();
        reserve(n);
        __append(n, copy);
    }
    template <class It> void assign(It first, It last, typename iterator_traits<It>::iterator_category * = nullptr)
    {
        const size_t n = std::distance(first, last), length = size();
        if (n > capacity()) {
            clear();
            reserve(n);
            __append_all(first, last);
            return;
        }
        size_t i = 0;
        for (; i < n && i < length; ++first, ++i)
            __first[i] = *first;
        if (n < length) {
            __destroy(__first + n, __last);
            __last = __first + n;
        } else {
            __append_all(first, last);
        }
    }
    void assign(std::initializer_list<T> list) { assign(list.begin(), list.end()); }

    T *begin() { return __first; }
    T *end() { return __last; }
    const T *begin() const { return __first; }
    const T *end() const { return __last; }
    const T *cbegin() const { return __first; }
    const T *cend() const { return __last; }
    reverse_iterator rbegin() { return reverse_iterator(__last); }
    reverse_iterator rend() { return reverse_iterator(__first); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(__last); }
    const_reverse_iterator rend() const { return const_reverse_iterator(__first); }

    size_t size() const { return __last - __first; }
    size_t capacity() const { return __end - __first; }
    size_t max_size() const { return 0x7fffffffffffffffUL / sizeof(T); }
    bool empty() const { return __first == __last; }
    T *data() { return __first; }
    const T *data() const { return __first; }
    T &operator[](size_t n) { return __first[n]; }
    const T &operator[](size_t n) const { return __first[n]; }
    T &at(size_t n)
    {
        __check(n);
        return __first[n];
    }
    const T &at(size_t n) const
    {
        __check(n);
        return __first[n];
    }
    T &front() { return *__first; }
    const T &front() const { return *__first; }
    T &back() { return __last[-1]; }
    const T &back() const { return __last[-1]; }

    void reserve(size_t n)
    {
        if (n > max_size())
            std::__throw("std::length_error", "vector::reserve");
        if (n <= capacity())
            return;
        const size_t length = size();
        T *memory = __memory(n);
        __move(__first, __last, memory);
        __take(memory, length, n);
    }
    void shrink_to_fit()
    {
        if (size() == capacity())
            return;
        const size_t length = size();
        T *memory = __memory(length);
        __move(__first, __last, memory);
        __take(memory, length, length);
    }
    void resize(size_t n)
    {
        if (n > size()) {
            __append_default(n - size());
        } else {
            __destroy(__first + n, __last);
            __last = __first + n;
        }
    }
    void resize(size_t n, const T &value)
    {
        if (n > size()) {
            insert(__last, n - size(), value);
        } else {
            __destroy(__first + n, __last);
            __last = __first + n;
        }
    }
    void clear()
    {
        __destroy(__first, __last);
        __last = __first;
    }

    void push_back(const T &value)
    {
        if (__last == __end) {
            __grow(size(), value);
            return;
        }
        new (__last) T(value);
        ++__last;
    }
    void push_back(T &&value)
    {
        if (__last == __end) {
            const size_t grown = __grown(1, "vector::_M_realloc_insert"), length = size();
            T *memory = __memory(grown);
            new (memory + length) T(std::move(value));
            __move_around(memory, length, grown);
            return;
        }
        new (__last) T(std::move(value));
        ++__last;
    }
    T &emplace_back()
    {
        push_back(T());
        return back();
    }
    template <class A> T &emplace_back(const A &a)
    {
        push_back(T(a));
        return back();
    }
    template <class A, class B> T &emplace_back(const A &a, const B &b)
    {
        push_back(T(a, b));
        return back();
    }
    template <class A, class B, class C> T &emplace_back(const A &a, const B &b, const C &c)
    {
        push_back(T(a, b, c));
        return back();
    }
    template <class A, class B, class C, class D> T &emplace_back(const A &a, const B &b, const C &c, const D &d)
    {
        push_back(T(a, b, c, d));
        return back();
    }
    void pop_back()
    {
        --__last;
        __destroy(__last, __last + 1);
    }
    T *insert(const T *at, const T &value)
    {
        const size_t before = at - __first;
        if (__last == __end) {
            __grow(before, value);
        } else if (at == __last) {
            new (__last) T(value);
            ++__last;
        } else {
            T copy(value);
            new (__last) T(std::move(__last[-1]));
            for (T *to = __last - 1; to != at; --to)
                *to = std::move(to[-1]);
            ++__last;
            __first[before] = std::move(copy);
        }
        return __first + before;
    }
    T *insert(const T *at, size_t n, const T &value)
    {
        const T copy(value);
        if (n == 0)
            return (T *)at;
        T *place = __open((T *)at, n, "vector::_M_fill_insert");
        for (size_t i = 0; i < n; i++)
            new (place + i) T(copy);
        return place;
    }
    template <class It>
    T *insert(const T *at, It first, It last, typename iterator_traits<It>::iterator_category * = nullptr)
    {
        if (first == last)
            return (T *)at;
        T *place = __open((T *)at, std::distance(first, last), "vector::_M_range_insert");
        for (T *out = place; first != last; ++first, ++out)
            new (out) T(*first);
        return place;
    }
    T *insert(const T *at, std::initializer_list<T> list) { return insert(at, list.begin(), list.end()); }
    T *erase(const T *at) { return erase(at, at + 1); }
    T *erase(const T *from, const T *to)
    {
        T *out = (T *)from;
        if (from == to)
            return out;
        for (T *in = (T *)to; in != __last; ++in, ++out)
            *out = std::move(*in);
        __destroy(out, __last);
        __last = out;
        return (T *)from;
    }
    void swap(vector &other)
    {
        std::swap(__first, other.__first);
        std::swap(__last, other.__last);
        std::swap(__end, other.__end);
    }
};

template <class T> bool operator==(const vector<T> &a, const vector<T> &b)
{
    if (a.size() != b.size())
        return false;
    for (size_t i = 0; i < a.size(); i++)
        if (!(a[i] == b[i]))
            return false;
    return true;
}
template <class T> bool operator!=(const vector<T> &a, const vector<T> &b) { return !(a == b); }
template <class T> bool operator<(const vector<T> &a, const vector<T> &b)
{
    for (size_t i = 0; i < a.size() && i < b.size(); i++) {
        if (a[i] < b[i])
            return true;
        if (b[i] < a[i])
            return false;
    }
    return a.size() < b.size();
}
template <class T> bool operator>(const vector<T> &a, const vector<T> &b) { return b < a; }
template <class T> bool operator<=(const vector<T> &a, const vector<T> &b) { return !(b < a); }
template <class T> bool operator>=(const vector<T> &a, const vector<T> &b) { return !(a < b); }

// An element of a vector of truth values, where libstdc++ has a bit.
struct __truth {
    bool *__at;
    operator bool() const { return *__at; }
    __truth &operator=(bool value)
    {
        *__at = value;
        return *this;
    }
    __truth &operator=(const __truth &other)
    {
        *__at = *other.__at;
        return *this;
    }
    __truth &operator&=(bool value)
    {
        *__at = *__at && value;
        return *this;
    }
    __truth &operator|=(bool value)
    {
        *__at = *__at || value;
        return *this;
    }
    bool operator~() const { return !*__at; }
    void flip() { *__at = !*__at; }
};
struct __truth_iterator {
    bool *__at;
    typedef bool value_type;
    typedef random_access_iterator_tag iterator_category;
    __truth operator*() const
    {
        __truth of = {__at};
        return of;
    }
    __truth operator[](ptrdiff_t n) const
    {
        __truth of = {__at + n};
        return of;
    }
    __truth_iterator &operator++()
    {
        ++__at;
        return *this;
    }
    __truth_iterator &operator--()
    {
        --__at;
        return *this;
    }
    __truth_iterator operator+(ptrdiff_t n) const
    {
        __truth_iterator it = {__at + n};
        return it;
    }
    __truth_iterator operator-(ptrdiff_t n) const
    {
        __truth_iterator it = {__at - n};
        return it;
    }
};
static inline ptrdiff_t operator-(const __truth_iterator &a, const __truth_iterator &b) { return a.__at - b.__at; }
static inline bool operator==(const __truth_iterator &a, const __truth_iterator &b) { return a.__at == b.__at; }
static inline bool operator!=(const __truth_iterator &a, const __truth_iterator &b) { return a.__at != b.__at; }
static inline bool operator<(const __truth_iterator &a, const __truth_iterator &b) { return a.__at < b.__at; }

// Its elements are no objects of their own: what `[]` gives refers to one. The capacity is a multiple of 64.
template <> class vector<bool> {
    vector<char> __of;

    bool *__data() const { return (bool *)__of.data(); }

public:
    typedef bool value_type;
    typedef size_t size_type;
    typedef __truth reference;
    typedef bool const_reference;
    typedef __truth_iterator iterator;
    vector() {}
    explicit vector(size_t n) : __of(n) {}
    vector(size_t n, bool value) : __of(n, (char)value) {}
    vector(std::initializer_list<bool> list)
    {
        for (const bool *one = list.begin(); one != list.end(); ++one)
            push_back(*one);
    }
    size_t size() const { return __of.size(); }
    size_t capacity() const { return (__of.capacity() + 63) / 64 * 64; }
    bool empty() const { return __of.empty(); }
    __truth operator[](size_t n)
    {
        __truth of = {__data() + n};
        return of;
    }
    bool operator[](size_t n) const { return __data()[n]; }
    __truth at(size_t n)
    {
        if (n >= size()) {
            char text[128];
            snprintf(
                text, sizeof text, "vector<bool>::_M_range_check: __n (which is %zu) >= this->size() (which is %zu)", n,
                size()
            );
            std::__throw("std::out_of_range", text);
        }
        return (*this)[n];
    }
    __truth front() { return (*this)[0]; }
    __truth back() { return (*this)[size() - 1]; }
    __truth_iterator begin()
    {
        __truth_iterator it = {__data()};
        return it;
    }
    __truth_iterator end()
    {
        __truth_iterator it = {__data() + size()};
        return it;
    }
    const bool *begin() const { return __data(); }
    const bool *end() const { return __data() + size(); }
    void push_back(bool value) { __of.push_back((char)value); }
    void pop_back() { __of.pop_back(); }
    void clear() { __of.clear(); }
    void reserve(size_t n) { __of.reserve(n); }
    void resize(size_t n) { __of.resize(n); }
    void resize(size_t n, bool value) { __of.resize(n, (char)value); }
    void assign(size_t n, bool value) { __of.assign(n, (char)value); }
    void flip()
    {
        for (size_t i = 0; i < size(); i++)
            __data()[i] = !__data()[i];
    }
    void swap(vector<bool> &other) { __of.swap(other.__of); }
};

}
