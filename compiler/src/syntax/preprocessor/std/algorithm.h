// `algorithm` and `numeric`, with the results of libstdc++ where the standard leaves them open: the order of
// equal elements after `sort` and its kin, and which numbers `shuffle` draws.

#include <__iterator.h>
#include <__uniform.h>

namespace std {

template <class It, class F> F for_each(It first, It last, F f)
{
    for (; first != last; ++first)
        f(*first);
    return f;
}
template <class It, class T> It find(It first, It last, const T &value)
{
    while (first != last && !(*first == value))
        ++first;
    return first;
}
template <class It, class P> It find_if(It first, It last, P is)
{
    while (first != last && !is(*first))
        ++first;
    return first;
}
template <class It, class P> It find_if_not(It first, It last, P is)
{
    while (first != last && is(*first))
        ++first;
    return first;
}
template <class It, class P> bool all_of(It first, It last, P is) { return std::find_if_not(first, last, is) == last; }
template <class It, class P> bool any_of(It first, It last, P is) { return std::find_if(first, last, is) != last; }
template <class It, class P> bool none_of(It first, It last, P is) { return std::find_if(first, last, is) == last; }
template <class It, class T> ptrdiff_t count(It first, It last, const T &value)
{
    ptrdiff_t n = 0;
    for (; first != last; ++first)
        if (*first == value)
            ++n;
    return n;
}
template <class It, class P> ptrdiff_t count_if(It first, It last, P is)
{
    ptrdiff_t n = 0;
    for (; first != last; ++first)
        if (is(*first))
            ++n;
    return n;
}
template <class It, class N, class Out> Out copy_n(It first, N n, Out out)
{
    for (; n > 0; --n, ++first, ++out)
        *out = *first;
    return out;
}
template <class It, class Out, class P> Out copy_if(It first, It last, Out out, P is)
{
    for (; first != last; ++first)
        if (is(*first)) {
            *out = *first;
            ++out;
        }
    return out;
}
template <class It, class F> void generate(It first, It last, F f)
{
    for (; first != last; ++first)
        *first = f();
}
template <class It, class N, class F> It generate_n(It first, N n, F f)
{
    for (; n > 0; --n, ++first)
        *first = f();
    return first;
}
template <class It, class Out, class F> Out transform(It first, It last, Out out, F f)
{
    for (; first != last; ++first, ++out)
        *out = f(*first);
    return out;
}
template <class It, class It2, class Out, class F> Out transform(It first, It last, It2 other, Out out, F f)
{
    for (; first != last; ++first, ++other, ++out)
        *out = f(*first, *other);
    return out;
}
template <class It, class T> void replace(It first, It last, const T &old, const T &value)
{
    for (; first != last; ++first)
        if (*first == old)
            *first = value;
}
template <class It> void reverse(It first, It last)
{
    while (first != last && first != --last) {
        std::swap(*first, *last);
        ++first;
    }
}
template <class It> It rotate(It first, It middle, It last)
{
    if (first == middle)
        return last;
    if (middle == last)
        return first;
    const It result = first + (last - middle);
    std::reverse(first, middle);
    std::reverse(middle, last);
    std::reverse(first, last);
    return result;
}
template <class It, class P> It remove_if(It first, It last, P is)
{
    first = std::find_if(first, last, is);
    if (first == last)
        return first;
    It out = first;
    for (++first; first != last; ++first)
        if (!is(*first)) {
            *out = std::move(*first);
            ++out;
        }
    return out;
}
template <class It, class T> It remove(It first, It last, const T &value)
{
    first = std::find(first, last, value);
    if (first == last)
        return first;
    It out = first;
    for (++first; first != last; ++first)
        if (!(*first == value)) {
            *out = std::move(*first);
            ++out;
        }
    return out;
}
template <class It, class P> It unique(It first, It last, P same)
{
    if (first == last)
        return last;
    It out = first;
    for (++first; first != last; ++first)
        if (!same(*out, *first)) {
            ++out;
            if (out != first)
                *out = std::move(*first);
        }
    return ++out;
}
struct __equal {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a == b; }
};
template <class It> It unique(It first, It last) { return std::unique(first, last, __equal()); }
template <class It, class P> It partition(It first, It last, P is)
{
    while (true) {
        while (true) {
            if (first == last)
                return first;
            if (!is(*first))
                break;
            ++first;
        }
        --last;
        while (true) {
            if (first == last)
                return first;
            if (is(*last))
                break;
            --last;
        }
        std::swap(*first, *last);
        ++first;
    }
}

template <class It, class C> It max_element(It first, It last, C less)
{
    if (first == last)
        return first;
    It best = first;
    while (++first != last)
        if (less(*best, *first))
            best = first;
    return best;
}
template <class It> It max_element(It first, It last) { return std::max_element(first, last, __less()); }
template <class It, class C> It min_element(It first, It last, C less)
{
    if (first == last)
        return first;
    It best = first;
    while (++first != last)
        if (less(*first, *best))
            best = first;
    return best;
}
template <class It> It min_element(It first, It last) { return std::min_element(first, last, __less()); }
template <class It> pair<It, It> minmax_element(It first, It last)
{
    pair<It, It> found(first, first);
    if (first == last)
        return found;
    while (++first != last) {
        if (*first < *found.first)
            found.first = first;
        if (!(*first < *found.second))
            found.second = first;
    }
    return found;
}
template <class T> constexpr T clamp(const T &value, const T &least, const T &most)
{
    return value < least ? least : most < value ? most : value;
}

template <class It, class T, class C> It lower_bound(It first, It last, const T &value, C less)
{
    ptrdiff_t length = last - first;
    while (length > 0) {
        const ptrdiff_t half = length >> 1;
        It middle = first + half;
        if (less(*middle, value)) {
            first = middle + 1;
            length = length - half - 1;
        } else {
            length = half;
        }
    }
    return first;
}
template <class It, class T> It lower_bound(It first, It last, const T &value)
{
    return std::lower_bound(first, last, value, __less());
}
template <class It, class T, class C> It upper_bound(It first, It last, const T &value, C less)
{
    ptrdiff_t length = last - first;
    while (length > 0) {
        const ptrdiff_t half = length >> 1;
        It middle = first + half;
        if (less(value, *middle)) {
            length = half;
        } else {
            first = middle + 1;
            length = length - half - 1;
        }
    }
    return first;
}
template <class It, class T> It upper_bound(It first, It last, const T &value)
{
    return std::upper_bound(first, last, value, __less());
}
template <class It, class T> pair<It, It> equal_range(It first, It last, const T &value)
{
    return pair<It, It>(std::lower_bound(first, last, value), std::upper_bound(first, last, value));
}
template <class It, class T> bool binary_search(It first, It last, const T &value)
{
    const It found = std::lower_bound(first, last, value, __less());
    return found != last && !(value < *found);
}
template <class It, class It2, class Out, class C> Out merge(It a, It a_end, It2 b, It2 b_end, Out out, C less)
{
    for (; a != a_end && b != b_end; ++out) {
        if (less(*b, *a)) {
            *out = *b;
            ++b;
        } else {
            *out = *a;
            ++a;
        }
    }
    return std::copy(b, b_end, std::copy(a, a_end, out));
}
template <class It, class It2, class Out> Out merge(It a, It a_end, It2 b, It2 b_end, Out out)
{
    return std::merge(a, a_end, b, b_end, out, __less());
}

template <class It, class C> bool is_sorted(It first, It last, C less)
{
    if (first == last)
        return true;
    for (It next = first; ++next != last; first = next)
        if (less(*next, *first))
            return false;
    return true;
}
template <class It> bool is_sorted(It first, It last) { return std::is_sorted(first, last, __less()); }

// Heaps: the largest element is the first, those of `i` are at `2 * i + 1` and after.

template <class It, class T, class C> void __push_heap(It first, ptrdiff_t hole, ptrdiff_t top, T value, C less)
{
    ptrdiff_t parent = (hole - 1) / 2;
    while (hole > top && less(first[parent], value)) {
        first[hole] = std::move(first[parent]);
        hole = parent;
        parent = (hole - 1) / 2;
    }
    first[hole] = std::move(value);
}
template <class It, class T, class C> void __adjust_heap(It first, ptrdiff_t hole, ptrdiff_t length, T value, C less)
{
    const ptrdiff_t top = hole;
    ptrdiff_t child = hole;
    while (child < (length - 1) / 2) {
        child = 2 * (child + 1);
        if (less(first[child], first[child - 1]))
            child--;
        first[hole] = std::move(first[child]);
        hole = child;
    }
    if ((length & 1) == 0 && child == (length - 2) / 2) {
        child = 2 * (child + 1);
        first[hole] = std::move(first[child - 1]);
        hole = child - 1;
    }
    std::__push_heap(first, hole, top, std::move(value), less);
}
template <class It, class C> void __pop_heap(It first, It last, It result, C less)
{
    auto value = std::move(*result);
    *result = std::move(*first);
    std::__adjust_heap(first, (ptrdiff_t)0, last - first, std::move(value), less);
}
template <class It, class C> void push_heap(It first, It last, C less)
{
    auto value = std::move(*(last - 1));
    std::__push_heap(first, (last - first) - 1, (ptrdiff_t)0, std::move(value), less);
}
template <class It> void push_heap(It first, It last) { std::push_heap(first, last, __less()); }
template <class It, class C> void pop_heap(It first, It last, C less)
{
    if (last - first > 1)
        std::__pop_heap(first, last - 1, last - 1, less);
}
template <class It> void pop_heap(It first, It last) { std::pop_heap(first, last, __less()); }
template <class It, class C> void make_heap(It first, It last, C less)
{
    const ptrdiff_t length = last - first;
    if (length < 2)
        return;
    for (ptrdiff_t parent = (length - 2) / 2;; parent--) {
        auto value = std::move(first[parent]);
        std::__adjust_heap(first, parent, length, std::move(value), less);
        if (parent == 0)
            return;
    }
}
template <class It> void make_heap(It first, It last) { std::make_heap(first, last, __less()); }
template <class It, class C> void sort_heap(It first, It last, C less)
{
    while (last - first > 1) {
        --last;
        std::__pop_heap(first, last, last, less);
    }
}
template <class It> void sort_heap(It first, It last) { std::sort_heap(first, last, __less()); }

template <class It, class C> void __heap_select(It first, It middle, It last, C less)
{
    std::make_heap(first, middle, less);
    for (It i = middle; i < last; ++i)
        if (less(*i, *first))
            std::__pop_heap(first, middle, i, less);
}
template <class It, class C> void partial_sort(It first, It middle, It last, C less)
{
    std::__heap_select(first, middle, last, less);
    std::sort_heap(first, middle, less);
}
template <class It> void partial_sort(It first, It middle, It last)
{
    std::partial_sort(first, middle, last, __less());
}

// Sorting by partition around the median of three, by insertion where few elements are left, and by a heap where
// partition does badly.

template <class It, class C> void __insert_unguarded(It last, C less)
{
    auto value = std::move(*last);
    It next = last;
    --next;
    while (less(value, *next)) {
        *last = std::move(*next);
        last = next;
        --next;
    }
    *last = std::move(value);
}
template <class It, class C> void __insertion_sort(It first, It last, C less)
{
    if (first == last)
        return;
    for (It i = first + 1; i != last; ++i) {
        if (less(*i, *first)) {
            auto value = std::move(*i);
            for (It to = i; to != first; --to)
                *to = std::move(*(to - 1));
            *first = std::move(value);
        } else {
            std::__insert_unguarded(i, less);
        }
    }
}
template <class It, class C> void __median_first(It result, It a, It b, It c, C less)
{
    if (less(*a, *b)) {
        if (less(*b, *c))
            std::swap(*result, *b);
        else if (less(*a, *c))
            std::swap(*result, *c);
        else
            std::swap(*result, *a);
    } else if (less(*a, *c)) {
        std::swap(*result, *a);
    } else if (less(*b, *c)) {
        std::swap(*result, *c);
    } else {
        std::swap(*result, *b);
    }
}
template <class It, class C> It __cut(It begin, It end, C less)
{
    std::__median_first(begin, begin + 1, begin + (end - begin) / 2, end - 1, less);
    It first = begin + 1, last = end;
    while (true) {
        while (less(*first, *begin))
            ++first;
        --last;
        while (less(*begin, *last))
            --last;
        if (!(first < last))
            return first;
        std::swap(*first, *last);
        ++first;
    }
}
static inline ptrdiff_t __depth(ptrdiff_t length)
{
    ptrdiff_t depth = 0;
    while (length >>= 1)
        depth += 2;
    return depth;
}
template <class It, class C> void __introsort(It first, It last, ptrdiff_t depth, C less)
{
    while (last - first > 16) {
        if (depth == 0) {
            std::partial_sort(first, last, last, less);
            return;
        }
        --depth;
        const It cut = std::__cut(first, last, less);
        std::__introsort(cut, last, depth, less);
        last = cut;
    }
}
template <class It, class C> void sort(It first, It last, C less)
{
    if (first == last)
        return;
    std::__introsort(first, last, std::__depth(last - first), less);
    if (last - first <= 16) {
        std::__insertion_sort(first, last, less);
        return;
    }
    std::__insertion_sort(first, first + 16, less);
    for (It i = first + 16; i != last; ++i)
        std::__insert_unguarded(i, less);
}
template <class It> void sort(It first, It last) { std::sort(first, last, __less()); }
template <class It, class C> void nth_element(It first, It nth, It last, C less)
{
    if (first == last || nth == last)
        return;
    ptrdiff_t depth = std::__depth(last - first);
    while (last - first > 3) {
        if (depth == 0) {
            std::__heap_select(first, nth + 1, last, less);
            std::swap(*first, *nth);
            return;
        }
        --depth;
        const It cut = std::__cut(first, last, less);
        if (cut <= nth)
            first = cut;
        else
            last = cut;
    }
    std::__insertion_sort(first, last, less);
}
template <class It> void nth_element(It first, It nth, It last) { std::nth_element(first, nth, last, __less()); }

// Merges of sorted runs, each twice as long as those before.
template <class It, class C> void stable_sort(It first, It last, C less)
{
    typedef typename iterator_traits<It>::value_type T;
    const ptrdiff_t length = last - first, run = 8;
    for (ptrdiff_t i = 0; i < length; i += run)
        std::__insertion_sort(first + i, first + (i + run < length ? i + run : length), less);
    if (length <= run)
        return;
    T *other = new T[length];
    for (ptrdiff_t width = run; width < length; width *= 2) {
        for (ptrdiff_t i = 0; i < length; i += 2 * width) {
            ptrdiff_t a = i, a_end = i + width < length ? i + width : length;
            ptrdiff_t b = a_end, b_end = i + 2 * width < length ? i + 2 * width : length, out = i;
            while (a != a_end || b != b_end) {
                if (a == a_end || (b != b_end && less(first[b], first[a])))
                    other[out++] = std::move(first[b++]);
                else
                    other[out++] = std::move(first[a++]);
            }
        }
        for (ptrdiff_t i = 0; i < length; i++)
            first[i] = std::move(other[i]);
    }
    delete[] other;
}
template <class It> void stable_sort(It first, It last) { std::stable_sort(first, last, __less()); }

template <class It, class C> bool next_permutation(It first, It last, C less)
{
    if (first == last || first + 1 == last)
        return false;
    It i = last - 1;
    while (true) {
        const It behind = i;
        --i;
        if (less(*i, *behind)) {
            It j = last;
            while (!less(*i, *--j))
                ;
            std::swap(*i, *j);
            std::reverse(behind, last);
            return true;
        }
        if (i == first) {
            std::reverse(first, last);
            return false;
        }
    }
}
template <class It> bool next_permutation(It first, It last) { return std::next_permutation(first, last, __less()); }

template <class It, class G> void shuffle(It first, It last, G &&g)
{
    if (first == last)
        return;
    const unsigned long range = g.max() - g.min(), length = last - first;
    if (range / length < length) {
        for (It i = first + 1; i != last; ++i)
            std::swap(*i, first[std::__uniform(g, (unsigned long)(i - first))]);
        return;
    }
    // A number for two elements at a time.
    It i = first + 1;
    if (length % 2 == 0) {
        std::swap(*i, first[std::__uniform(g, 1ul)]);
        ++i;
    }
    while (i != last) {
        const unsigned long bound = (i - first) + 1, both = std::__uniform(g, bound * (bound + 1) - 1);
        std::swap(*i, first[both / (bound + 1)]);
        ++i;
        std::swap(*i, first[both % (bound + 1)]);
        ++i;
    }
}

// `numeric`

template <class It, class T> T accumulate(It first, It last, T sum)
{
    for (; first != last; ++first)
        sum = std::move(sum) + *first;
    return sum;
}
template <class It, class T, class F> T accumulate(It first, It last, T sum, F f)
{
    for (; first != last; ++first)
        sum = f(std::move(sum), *first);
    return sum;
}
template <class It, class T> void iota(It first, It last, T value)
{
    for (; first != last; ++first) {
        *first = value;
        ++value;
    }
}
template <class It, class It2, class T> T inner_product(It first, It last, It2 other, T sum)
{
    for (; first != last; ++first, ++other)
        sum = std::move(sum) + *first * *other;
    return sum;
}
template <class It, class Out> Out partial_sum(It first, It last, Out out)
{
    if (first == last)
        return out;
    auto sum = *first;
    *out = sum;
    while (++first != last) {
        sum = std::move(sum) + *first;
        *++out = sum;
    }
    return ++out;
}
template <class It, class Out> Out inclusive_scan(It first, It last, Out out) { return std::partial_sum(first, last, out); }
template <class It, class Out, class T> Out exclusive_scan(It first, It last, Out out, T sum)
{
    for (; first != last; ++first, ++out) {
        auto next = sum + *first;
        *out = std::move(sum);
        sum = std::move(next);
    }
    return out;
}
template <class It, class Out> Out adjacent_difference(It first, It last, Out out)
{
    if (first == last)
        return out;
    auto before = *first;
    *out = before;
    while (++first != last) {
        auto value = *first;
        *++out = value - before;
        before = std::move(value);
    }
    return ++out;
}
template <class It, class T> T reduce(It first, It last, T sum) { return std::accumulate(first, last, sum); }

}
