// Arrays that `new` makes of objects with constructors or destructors. In front of those with destructors stands how many
// there are, as in the Itanium C++ ABI, for `delete[]`. `__construct` and `__destroy` are calls that the checker knows.

template <class T> static __host__ T *__new_constructed(T *, size_t count)
{
    T *const first = (T *)__new_bytes(count, sizeof(T));
    for (size_t at = 0; at < count; at++)
        __construct(first + at);
    return first;
}

// How many elements of so many bytes leave room for a count.
static inline __host__ size_t __counting_elements(size_t size) { return (sizeof(size_t) * 2 + size - 1) / size; }

template <class T> static __host__ T *__new_counted(T *, size_t count)
{
    const size_t before = __counting_elements(sizeof(T));
    if (count > SIZE_MAX - before)
        __new_bytes(count, sizeof(T));
    T *const first = (T *)__new_bytes(count + before, sizeof(T)) + before;
    *((size_t *)first - 1) = count;
    for (size_t at = 0; at < count; at++)
        __construct(first + at);
    return first;
}

template <class T> static __host__ void __delete_counted(T *first)
{
    if (!first)
        return;
    for (size_t at = *((size_t *)first - 1); at > 0; at--)
        __destroy(first + (at - 1));
    __delete_bytes(first - __counting_elements(sizeof(T)));
}
