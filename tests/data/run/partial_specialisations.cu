// Partial specialisations: which form holds for arguments; what is printed is what g++ prints.
#include <stdio.h>
#include <type_traits>

// What depends on a parameter is compared once the parameter is known; what cannot be made is another form.
template <class T, class E = void> struct by_size { enum { is = 1 }; };
template <class T> struct by_size<T, std::enable_if_t<(sizeof(T) > 4)>> { enum { is = 2 }; };
template <class T, class E = void> struct by_kind { enum { is = 1 }; };
template <class T> struct by_kind<T, typename std::enable_if<std::is_integral<T>::value>::type> { enum { is = 2 }; };
template <class T> struct by_kind<T, typename std::enable_if<std::is_floating_point<T>::value>::type> { enum { is = 3 }; };
template <class T, class E = void> struct by_type { enum { is = 1 }; };
template <class T> struct by_type<T, typename T::type> { enum { is = 2 }; };
template <class T, class E = void> struct by_member { enum { is = 1 }; };
template <class T> struct by_member<T, decltype(void(T::tag))> { enum { is = 2 }; };
template <class T, int n> struct by_value { enum { is = 1 }; };
template <class T> struct by_value<T, T::tag - 1> { enum { is = 2 }; };
template <bool b> struct flag { };
template <class T, class B> struct by_flag { enum { is = 1 }; };
template <class T> struct by_flag<T, flag<(sizeof(T) > 4)>> { enum { is = 2 }; };
template <class T> using nothing = void;
template <class T, class E = void> struct by_name { enum { is = 1 }; };
template <class T> struct by_name<T, nothing<typename T::type>> { enum { is = 2 }; };
template <class T, class U> struct same_but_const { enum { is = 1 }; };
template <class T> struct same_but_const<T, std::remove_const_t<T>> { enum { is = 2 }; };
template <class T> struct same_but_const<T, const T> { enum { is = 3 }; };
template <class T, class E = void> struct pointers { enum { is = 1 }; };
template <class T, class E> struct pointers<T *, E> { enum { is = 3 }; };
template <class T> struct pointers<T *, std::enable_if_t<(sizeof(T) > 2)>> { enum { is = 2 }; };
struct tagged { typedef void type; static const int tag = 4; };
struct typed { typedef int type; };

// Qualifiers are part of a form.
template <class T> struct only { enum { is = 1 }; };
template <class T> struct only<const T *> { enum { is = 4 }; };
template <class T> struct three { enum { is = 1 }; };
template <class T> struct three<const T> { enum { is = 2 }; };
template <class T> struct three<T *> { enum { is = 3 }; };
template <class T> struct three<const T *> { enum { is = 4 }; };
// The order in which they stand says nothing.
template <class T> struct many { enum { is = 1 }; };
template <class T> struct many<const T *> { enum { is = 4 }; };
template <class T> struct many<T *> { enum { is = 3 }; };
template <class T> struct many<T *const> { enum { is = 5 }; };
template <class T> struct many<volatile T> { enum { is = 6 }; };
template <class T> struct many<const T *const> { enum { is = 7 }; };
template <class T> struct many<T **> { enum { is = 8 }; };
template <class T> struct box { };
template <class T> struct inner { enum { is = 1 }; };
template <class T> struct inner<T[]> { enum { is = 2 }; };
template <class T, int n> struct inner<T[n]> { enum { is = 3 + sizeof(n) }; };
template <class T> struct inner<T[4]> { enum { is = 4 }; };
template <class T> struct inner<box<T>> { enum { is = 10 }; };
template <class T> struct inner<box<const T>> { enum { is = 11 }; };
template <class T> struct inner<box<T *>> { enum { is = 12 }; };
template <> struct inner<box<int *>> { enum { is = 13 }; };

// Arguments that are not written are the template's defaults.
template <class T, class U = T *> struct defaults { enum { is = 1 }; };
template <class T> struct defaults<box<T>> { enum { is = 2 }; };
template <int a, int b> struct pair { enum { is = 1 }; };
template <int a> struct pair<a, a> { enum { is = 2 }; };
template <int a> struct pair<a, a + 1> { enum { is = 3 }; };
template <int a> struct pair<0, a> { enum { is = 4 }; };
template <> struct pair<0, 0> { enum { is = 5 }; };
template <> struct pair<0, 1> { enum { is = 6 }; };
template <class T> struct announced;
template <class T> struct announced<T *>;
template <class T> struct announced { enum { is = 1 }; };
template <class T> struct announced<T *> { enum { is = 2 }; };

__host__ __device__ void all(int *out)
{
    int sized[] = {by_size<double>::is, by_size<int>::is, by_size<char *>::is, by_kind<int>::is, by_kind<float>::is,
                   by_kind<int *>::is, by_kind<const long>::is, by_type<int>::is, by_type<tagged>::is, by_type<typed>::is,
                   by_type<typed, int>::is, by_member<int>::is, by_member<tagged>::is, by_member<typed>::is,
                   by_value<tagged, 3>::is, by_value<tagged, 4>::is, by_value<int, 3>::is, by_flag<double, flag<true>>::is,
                   by_flag<double, flag<false>>::is, by_flag<int, flag<false>>::is, by_flag<int, int>::is,
                   by_name<int>::is, by_name<typed>::is, same_but_const<int, const int>::is,
                   same_but_const<const int, int>::is, same_but_const<int, long>::is, pointers<int *>::is,
                   pointers<char *>::is, pointers<int>::is, pointers<int *, int>::is};
    int formed[] = {only<int *>::is, only<const int *>::is, only<int *const>::is, only<const volatile int *>::is,
                    three<int>::is, three<const int>::is, three<int *>::is, three<const int *>::is, three<int *const>::is,
                    three<int *const *>::is, many<int *>::is, many<const int *>::is, many<int *const>::is,
                    many<const int *const>::is, many<volatile int>::is, many<int **>::is, many<const int *volatile>::is,
                    inner<int>::is, inner<int[3]>::is, inner<int[4]>::is, inner<const int[5]>::is, inner<box<int>>::is,
                    inner<box<const int>>::is, inner<box<int *>>::is, inner<box<const int *>>::is,
                    inner<box<int *const>>::is, inner<const box<int>>::is, defaults<box<int>>::is,
                    defaults<box<int>, int>::is, pair<3, 3>::is, pair<3, 4>::is, pair<3, 5>::is, pair<0, 3>::is,
                    pair<0, 0>::is, pair<0, 1>::is, announced<int>::is, announced<int *>::is};
    for (int at = 0; at < 30; at++)
        out[at] = sized[at];
    for (int at = 0; at < 37; at++)
        out[30 + at] = formed[at];
}

__global__ void kernel(int *out) { all(out); }

int main()
{
    int *device, host[67];
    cudaMallocManaged(&device, sizeof host);
    kernel<<<1, 1>>>(device);
    cudaDeviceSynchronize();
    all(host);
    for (int at = 0; at < 67; at++)
        printf("%d%c", host[at] == device[at] ? host[at] : -1, at == 29 || at == 66 ? '\n' : ' ');
    printf("%d\n", std::is_same<std::remove_pointer<int *const>::type, int>::value);
    printf("%d %d %d %d\n", three<int[3]>::is, three<const int[3]>::is, std::is_const<const int[2][3]>::value,
           std::is_same<std::remove_const<const int[3]>::type, int[3]>::value);
    return 0;
}

// out: 2 1 2 2 3 1 2 1 2 1 2 1 2 1 2 1 1 2 1 2 1 1 2 3 2 1 2 3 1 3
// out: 1 4 1 4 1 2 3 4 2 4 3 4 5 7 6 8 6 1 7 4 7 10 11 13 12 11 1 2 1 2 3 1 4 5 6 1 2
// out: 1
// out: 1 2 1 1
