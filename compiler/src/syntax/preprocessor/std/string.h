// `string`: short ones are in the object, as in libstdc++.

#include <__iterator.h>

namespace std {

class string {
    char *__first;
    size_t __length;
    union {
        char __short[16];
        size_t __capacity;
    };

    bool __is_short() const { return __first == __short; }
    void __begin()
    {
        __first = __short;
        __length = 0;
        __short[0] = 0;
    }
    void __reserve(size_t n)
    {
        const size_t known = capacity();
        if (n <= known)
            return;
        const size_t grown = n < 2 * known ? 2 * known : n;
        char *memory = (char *)malloc(grown + 1);
        if (memory == nullptr)
            std::__throw("std::bad_alloc", "std::bad_alloc");
        memcpy(memory, __first, __length + 1);
        if (!__is_short())
            free(__first);
        __first = memory;
        __capacity = grown;
    }
    void __put(const char *text, size_t n)
    {
        if (n > capacity() - __length && text >= __first && text <= __first + __length) {
            const string copy(text, n);
            __put(copy.__first, n);
            return;
        }
        __reserve(__length + n);
        memmove(__first + __length, text, n);
        __length += n;
        __first[__length] = 0;
    }
    size_t __check(size_t at, const char *function) const
    {
        if (at > __length) {
            char text[128];
            snprintf(
                text, sizeof text, "%s: __pos (which is %zu) > this->size() (which is %zu)", function, at, __length
            );
            std::__throw("std::out_of_range", text);
        }
        return at;
    }
    size_t __limit(size_t at, size_t n) const { return n < __length - at ? n : __length - at; }

public:
    typedef char value_type;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef char *iterator;
    typedef const char *const_iterator;
    typedef std::reverse_iterator<char *> reverse_iterator;
    static const size_t npos = ULONG_MAX;

    string() { __begin(); }
    string(const char *text)
    {
        __begin();
        if (text == nullptr)
            std::__throw("std::logic_error", "basic_string: construction from null is not valid");
        __put(text, strlen(text));
    }
    string(const char *text, size_t n)
    {
        __begin();
        __put(text, n);
    }
    string(size_t n, char c)
    {
        __begin();
        append(n, c);
    }
    string(const string &other)
    {
        __begin();
        __put(other.__first, other.__length);
    }
    string(const string &other, size_t at, size_t n = npos)
    {
        __begin();
        other.__check(at, "basic_string::basic_string");
        __put(other.__first + at, other.__limit(at, n));
    }
    template <class It> string(It first, It last, typename iterator_traits<It>::iterator_category * = nullptr)
    {
        __begin();
        for (; first != last; ++first)
            push_back(*first);
    }
    string(std::initializer_list<char> list)
    {
        __begin();
        __put(list.begin(), list.size());
    }
    string(string &&other)
    {
        __begin();
        swap(other);
    }
    ~string()
    {
        if (!__is_short())
            free(__first);
    }
    string &operator=(const string &other)
    {
        return this == &other ? *this : assign(other.__first, other.__length);
    }
    string &operator=(string &&other)
    {
        if (this == &other)
            return *this;
        swap(other);
        other.clear();
        return *this;
    }
    string &operator=(const char *text) { return assign(text, strlen(text)); }
    string &operator=(char c) { return assign(1, c); }

    string &assign(const char *text, size_t n)
    {
        if (text >= __first && text <= __first + __length) {
            const string copy(text, n);
            clear();
            __put(copy.__first, n);
            return *this;
        }
        clear();
        __put(text, n);
        return *this;
    }
    string &assign(const char *text) { return assign(text, strlen(text)); }
    string &assign(const string &other) { return *this = other; }
    string &assign(size_t n, char c)
    {
        clear();
        return append(n, c);
    }

    char *begin() { return __first; }
    char *end() { return __first + __length; }
    const char *begin() const { return __first; }
    const char *end() const { return __first + __length; }
    const char *cbegin() const { return __first; }
    const char *cend() const { return __first + __length; }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(__first); }
    size_t size() const { return __length; }
    size_t length() const { return __length; }
    size_t capacity() const { return __is_short() ? 15 : __capacity; }
    size_t max_size() const { return 0x3fffffffffffffffUL; }
    bool empty() const { return __length == 0; }
    const char *c_str() const { return __first; }
    const char *data() const { return __first; }
    char *data() { return __first; }
    char &operator[](size_t i) { return __first[i]; }
    const char &operator[](size_t i) const { return __first[i]; }
    char &at(size_t i)
    {
        if (i >= __length) {
            char text[128];
            snprintf(
                text, sizeof text, "basic_string::at: __n (which is %zu) >= this->size() (which is %zu)", i, __length
            );
            std::__throw("std::out_of_range", text);
        }
        return __first[i];
    }
    const char &at(size_t i) const { return ((string *)this)->at(i); }
    char &front() { return __first[0]; }
    const char &front() const { return __first[0]; }
    char &back() { return __first[__length - 1]; }
    const char &back() const { return __first[__length - 1]; }

    void clear()
    {
        __length = 0;
        __first[0] = 0;
    }
    void reserve(size_t n = 0) { __reserve(n); }
    void resize(size_t n, char c = 0)
    {
        if (n > __length) {
            append(n - __length, c);
            return;
        }
        __length = n;
        __first[n] = 0;
    }
    void push_back(char c)
    {
        __reserve(__length + 1);
        __first[__length++] = c;
        __first[__length] = 0;
    }
    void pop_back() { __first[--__length] = 0; }
    string &append(const char *text, size_t n)
    {
        __put(text, n);
        return *this;
    }
    string &append(const char *text) { return append(text, strlen(text)); }
    string &append(const string &other) { return append(other.__first, other.__length); }
    string &append(const string &other, size_t at, size_t n = npos)
    {
        other.__check(at, "basic_string::append");
        return append(other.__first + at, other.__limit(at, n));
    }
    string &append(size_t n, char c)
    {
        __reserve(__length + n);
        memset(__first + __length, c, n);
        __length += n;
        __first[__length] = 0;
        return *this;
    }
    string &operator+=(const string &other) { return append(other); }
    string &operator+=(const char *text) { return append(text); }
    string &operator+=(char c)
    {
        push_back(c);
        return *this;
    }
    string &replace(size_t at, size_t n, const char *text, size_t count)
    {
        __check(at, "basic_string::replace");
        n = __limit(at, n);
        string made(__first, at);
        made.append(text, count);
        made.append(__first + at + n, __length - at - n);
        // The memory stays if it is large enough.
        return assign(made.__first, made.__length);
    }
    string &replace(size_t at, size_t n, const char *text) { return replace(at, n, text, strlen(text)); }
    string &replace(size_t at, size_t n, const string &other)
    {
        return replace(at, n, other.__first, other.__length);
    }
    string &insert(size_t at, const string &other)
    {
        __check(at, "basic_string::insert");
        return replace(at, 0, other.__first, other.__length);
    }
    string &insert(size_t at, const char *text)
    {
        __check(at, "basic_string::insert");
        return replace(at, 0, text, strlen(text));
    }
    string &insert(size_t at, size_t n, char c)
    {
        const string other(n, c);
        return insert(at, other);
    }
    string &erase(size_t at = 0, size_t n = npos)
    {
        __check(at, "basic_string::erase");
        n = __limit(at, n);
        memmove(__first + at, __first + at + n, __length - at - n + 1);
        __length -= n;
        return *this;
    }
    char *erase(const char *at)
    {
        erase((size_t)(at - __first), 1);
        return (char *)at;
    }
    char *erase(const char *first, const char *last)
    {
        erase((size_t)(first - __first), (size_t)(last - first));
        return (char *)first;
    }
    void swap(string &other)
    {
        const bool is_short = __is_short(), other_short = other.__is_short();
        char *const first = __first;
        const size_t length = __length;
        char kept[16];
        memcpy(kept, __short, 16);
        memcpy(__short, other.__short, 16);
        memcpy(other.__short, kept, 16);
        __first = other_short ? __short : other.__first;
        __length = other.__length;
        other.__first = is_short ? other.__short : first;
        other.__length = length;
    }

    string substr(size_t at = 0, size_t n = npos) const
    {
        __check(at, "basic_string::substr");
        return string(__first + at, __limit(at, n));
    }
    size_t copy(char *to, size_t n, size_t at = 0) const
    {
        __check(at, "basic_string::copy");
        n = __limit(at, n);
        memcpy(to, __first + at, n);
        return n;
    }
    size_t find(const char *text, size_t from, size_t n) const
    {
        for (size_t at = from; n <= __length && at <= __length - n; at++)
            if (memcmp(__first + at, text, n) == 0)
                return at;
        return npos;
    }
    size_t find(const char *text, size_t from = 0) const { return find(text, from, strlen(text)); }
    size_t find(const string &other, size_t from = 0) const { return find(other.__first, from, other.__length); }
    size_t find(char c, size_t from = 0) const
    {
        for (size_t at = from; at < __length; at++)
            if (__first[at] == c)
                return at;
        return npos;
    }
    size_t rfind(const char *text, size_t from, size_t n) const
    {
        if (n > __length)
            return npos;
        for (size_t at = from < __length - n ? from : __length - n;; at--) {
            if (memcmp(__first + at, text, n) == 0)
                return at;
            if (at == 0)
                return npos;
        }
    }
    size_t rfind(const char *text, size_t from = npos) const { return rfind(text, from, strlen(text)); }
    size_t rfind(const string &other, size_t from = npos) const { return rfind(other.__first, from, other.__length); }
    size_t rfind(char c, size_t from = npos) const { return rfind(&c, from, 1); }
    // The first, or from the end the last, character that is, or is not, one of those.
    size_t __search(const char *those, size_t n, size_t from, bool forward, bool one) const
    {
        if (__length == 0 || (forward && from >= __length))
            return npos;
        for (size_t at = from < __length ? from : __length - 1;; at += forward ? 1 : -1) {
            if ((memchr(those, __first[at], n) != nullptr) == one)
                return at;
            if (at == (forward ? __length - 1 : 0))
                return npos;
        }
    }
    size_t find_first_of(const char *those, size_t from = 0) const
    {
        return __search(those, strlen(those), from, true, true);
    }
    size_t find_first_of(const string &those, size_t from = 0) const
    {
        return __search(those.__first, those.__length, from, true, true);
    }
    size_t find_first_of(char c, size_t from = 0) const { return find(c, from); }
    size_t find_last_of(const char *those, size_t from = npos) const
    {
        return __search(those, strlen(those), from, false, true);
    }
    size_t find_last_of(const string &those, size_t from = npos) const
    {
        return __search(those.__first, those.__length, from, false, true);
    }
    size_t find_last_of(char c, size_t from = npos) const { return rfind(c, from); }
    size_t find_first_not_of(const char *those, size_t from = 0) const
    {
        return __search(those, strlen(those), from, true, false);
    }
    size_t find_first_not_of(const string &those, size_t from = 0) const
    {
        return __search(those.__first, those.__length, from, true, false);
    }
    size_t find_last_not_of(const char *those, size_t from = npos) const
    {
        return __search(those, strlen(those), from, false, false);
    }
    size_t find_last_not_of(const string &those, size_t from = npos) const
    {
        return __search(those.__first, those.__length, from, false, false);
    }
    int __compare(const char *text, size_t n) const
    {
        const int order = memcmp(__first, text, __length < n ? __length : n);
        const long difference = (long)(__length - n);
        return order != 0 ? order : difference > INT_MAX ? INT_MAX : difference < INT_MIN ? INT_MIN : (int)difference;
    }
    int compare(const string &other) const { return __compare(other.__first, other.__length); }
    int compare(const char *text) const { return __compare(text, strlen(text)); }
    int compare(size_t at, size_t n, const string &other) const { return substr(at, n).compare(other); }
    int compare(size_t at, size_t n, const char *text) const { return substr(at, n).compare(text); }
};

static inline string operator+(const string &a, const string &b)
{
    string sum(a);
    sum.append(b);
    return sum;
}
static inline string operator+(const string &a, const char *b)
{
    string sum(a);
    sum.append(b);
    return sum;
}
static inline string operator+(const char *a, const string &b)
{
    string sum(a);
    sum.append(b);
    return sum;
}
static inline string operator+(const string &a, char b)
{
    string sum(a);
    sum.push_back(b);
    return sum;
}
static inline string operator+(char a, const string &b)
{
    string sum(1, a);
    sum.append(b);
    return sum;
}
static inline bool operator==(const string &a, const string &b) { return a.size() == b.size() && a.compare(b) == 0; }
static inline bool operator==(const string &a, const char *b) { return a.compare(b) == 0; }
static inline bool operator==(const char *a, const string &b) { return b.compare(a) == 0; }
static inline bool operator!=(const string &a, const string &b) { return !(a == b); }
static inline bool operator!=(const string &a, const char *b) { return a.compare(b) != 0; }
static inline bool operator!=(const char *a, const string &b) { return b.compare(a) != 0; }
static inline bool operator<(const string &a, const string &b) { return a.compare(b) < 0; }
static inline bool operator<(const string &a, const char *b) { return a.compare(b) < 0; }
static inline bool operator<(const char *a, const string &b) { return b.compare(a) > 0; }
static inline bool operator>(const string &a, const string &b) { return a.compare(b) > 0; }
static inline bool operator<=(const string &a, const string &b) { return a.compare(b) <= 0; }
static inline bool operator>=(const string &a, const string &b) { return a.compare(b) >= 0; }

static inline ostream &operator<<(ostream &to, const string &text)
{
    // What `setw` asks of it is that of a text.
    if (strlen(text.c_str()) == text.size())
        return to << text.c_str();
    for (size_t i = 0; i < text.size(); i++)
        to << text[i];
    return to;
}

#define __STD_TO_STRING(type, format) \
    static inline string to_string(type value) \
    { \
        char text[400]; \
        snprintf(text, sizeof text, format, value); \
        return string(text); \
    }
__STD_TO_STRING(int, "%d")
__STD_TO_STRING(unsigned, "%u")
__STD_TO_STRING(long, "%ld")
__STD_TO_STRING(unsigned long, "%lu")
__STD_TO_STRING(long long, "%lld")
__STD_TO_STRING(unsigned long long, "%llu")
__STD_TO_STRING(float, "%f")
__STD_TO_STRING(double, "%f")
#undef __STD_TO_STRING

// How much of a text a number took; ends the program if that is nothing, or the number too large.
static inline void __read(const char *function, const char *text, const char *end, bool fits, size_t *length)
{
    if (end == text)
        std::__throw("std::invalid_argument", function);
    if (!fits)
        std::__throw("std::out_of_range", function);
    if (length != nullptr)
        *length = end - text;
}
#define __STD_WHOLE(name, type, read, wide) \
    static inline type name(const string &of, size_t *length = nullptr, int base = 10) \
    { \
        char *end; \
        const int before = errno; \
        errno = 0; \
        const wide value = read(of.c_str(), &end, base); \
        std::__read(#name, of.c_str(), end, errno == 0 && (wide)(type)value == value, length); \
        errno = before; \
        return (type)value; \
    }
__STD_WHOLE(stoi, int, strtol, long)
__STD_WHOLE(stol, long, strtol, long)
__STD_WHOLE(stoll, long long, strtoll, long long)
__STD_WHOLE(stoul, unsigned long, strtoul, unsigned long)
__STD_WHOLE(stoull, unsigned long long, strtoull, unsigned long long)
#undef __STD_WHOLE
#define __STD_REAL(name, type, read) \
    static inline type name(const string &of, size_t *length = nullptr) \
    { \
        char *end; \
        const int before = errno; \
        errno = 0; \
        const type value = read(of.c_str(), &end); \
        std::__read(#name, of.c_str(), end, errno == 0, length); \
        errno = before; \
        return value; \
    }
__STD_REAL(stof, float, strtof)
__STD_REAL(stod, double, strtod)
#undef __STD_REAL

}
