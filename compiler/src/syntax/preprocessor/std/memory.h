// `memory`: pointers that own what they point to.

#include <__iterator.h>

namespace std {

template <class T> struct default_delete {
    void operator()(T *of) const { delete of; }
};
template <class T> struct default_delete<T[]> {
    void operator()(T *of) const { delete[] of; }
};

template <class T, class D = default_delete<T>> class unique_ptr {
    T *__of;
    D __delete;

public:
    typedef T *pointer;
    typedef T element_type;
    typedef D deleter_type;
    unique_ptr() : __of(nullptr), __delete() {}
    explicit unique_ptr(T *of) : __of(of), __delete() {}
    unique_ptr(T *of, const D &with) : __of(of), __delete(with) {}
    unique_ptr(const unique_ptr &other) = delete;
    unique_ptr(unique_ptr &&other) : __of(other.release()), __delete(std::move(other.__delete)) {}
    ~unique_ptr()
    {
        if (__of != nullptr)
            __delete(__of);
    }
    unique_ptr &operator=(unique_ptr &&other)
    {
        reset(other.release());
        return *this;
    }
    T *get() const { return __of; }
    D &get_deleter() { return __delete; }
    T &operator*() const { return *__of; }
    T *operator->() const { return __of; }
    operator bool() const { return __of != nullptr; }
    T *release()
    {
        T *of = __of;
        __of = nullptr;
        return of;
    }
    void reset() { reset(nullptr); }
    void reset(T *of)
    {
        T *old = __of;
        __of = of;
        if (old != nullptr)
            __delete(old);
    }
    void swap(unique_ptr &other) { std::swap(__of, other.__of); }
};

template <class T, class D> class unique_ptr<T[], D> {
    T *__of;
    D __delete;

public:
    typedef T *pointer;
    typedef T element_type;
    typedef D deleter_type;
    unique_ptr() : __of(nullptr), __delete() {}
    explicit unique_ptr(T *of) : __of(of), __delete() {}
    unique_ptr(unique_ptr &&other) : __of(other.release()), __delete(std::move(other.__delete)) {}
    ~unique_ptr()
    {
        if (__of != nullptr)
            __delete(__of);
    }
    unique_ptr &operator=(unique_ptr &&other)
    {
        reset(other.release());
        return *this;
    }
    T *get() const { return __of; }
    T &operator[](size_t i) const { return __of[i]; }
    operator bool() const { return __of != nullptr; }
    T *release()
    {
        T *of = __of;
        __of = nullptr;
        return of;
    }
    void reset() { reset(nullptr); }
    void reset(T *of)
    {
        T *old = __of;
        __of = of;
        if (old != nullptr)
            __delete(old);
    }
    void swap(unique_ptr &other) { std::swap(__of, other.__of); }
};

// `make_unique`, of an object with up to four values, or of an array.
template <class T> struct __made { typedef unique_ptr<T> one; };
template <class T> struct __made<T[]> {
    typedef unique_ptr<T[]> array;
    typedef T element;
};
template <class T> typename __made<T>::one make_unique() { return unique_ptr<T>(new T()); }
template <class T, class A> typename __made<T>::one make_unique(A &&a) { return unique_ptr<T>(new T(a)); }
template <class T, class A, class B> typename __made<T>::one make_unique(A &&a, B &&b)
{
    return unique_ptr<T>(new T(a, b));
}
template <class T, class A, class B, class C> typename __made<T>::one make_unique(A &&a, B &&b, C &&c)
{
    return unique_ptr<T>(new T(a, b, c));
}
template <class T, class A, class B, class C, class D>
typename __made<T>::one make_unique(A &&a, B &&b, C &&c, D &&d)
{
    return unique_ptr<T>(new T(a, b, c, d));
}
template <class T> typename __made<T>::array make_unique(size_t n)
{
    typedef typename __made<T>::element element;
    return unique_ptr<T>(new element[n]);
}

}
