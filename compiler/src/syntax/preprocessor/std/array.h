// `array`

#include <__iterator.h>

namespace std {

template <class T, size_t n> struct array {
    T __of[n ? n : 1];
    typedef T value_type;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef T *iterator;
    typedef const T *const_iterator;
    __host__ __device__ constexpr size_t size() const { return n; }
    __host__ __device__ constexpr size_t max_size() const { return n; }
    __host__ __device__ constexpr bool empty() const { return n == 0; }
    __host__ __device__ T *data() { return __of; }
    __host__ __device__ const T *data() const { return __of; }
    __host__ __device__ T *begin() { return __of; }
    __host__ __device__ T *end() { return __of + n; }
    __host__ __device__ const T *begin() const { return __of; }
    __host__ __device__ const T *end() const { return __of + n; }
    __host__ __device__ const T *cbegin() const { return __of; }
    __host__ __device__ const T *cend() const { return __of + n; }
    __host__ __device__ T &operator[](size_t i) { return __of[i]; }
    __host__ __device__ const T &operator[](size_t i) const { return __of[i]; }
    __host__ __device__ T &front() { return __of[0]; }
    __host__ __device__ const T &front() const { return __of[0]; }
    __host__ __device__ T &back() { return __of[n - 1]; }
    __host__ __device__ const T &back() const { return __of[n - 1]; }
    void __check(size_t i) const
    {
        if (i < n)
            return;
        char text[96];
        snprintf(text, sizeof text, "array::at: __n (which is %zu) >= _Nm (which is %zu)", i, n);
        std::__throw("std::out_of_range", text);
    }
    T &at(size_t i)
    {
        __check(i);
        return __of[i];
    }
    const T &at(size_t i) const
    {
        __check(i);
        return __of[i];
    }
    void fill(const T &value)
    {
        for (size_t i = 0; i < n; i++)
            __of[i] = value;
    }
    void swap(array &other) { std::swap(*this, other); }
};

template <class T, size_t n> bool operator==(const array<T, n> &a, const array<T, n> &b)
{
    for (size_t i = 0; i < n; i++)
        if (!(a[i] == b[i]))
            return false;
    return true;
}
template <class T, size_t n> bool operator!=(const array<T, n> &a, const array<T, n> &b) { return !(a == b); }
template <class T, size_t n> bool operator<(const array<T, n> &a, const array<T, n> &b)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] < b[i])
            return true;
        if (b[i] < a[i])
            return false;
    }
    return false;
}

}
