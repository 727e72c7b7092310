// `functional`: the operators as objects.

namespace std {

#define __STD_OPERATOR(name, result, op) \
    template <class T = void> struct name { \
        __host__ __device__ constexpr result operator()(const T &a, const T &b) const { return a op b; } \
    }; \
    template <> struct name<void> { \
        template <class A, class B> __host__ __device__ constexpr auto operator()(const A &a, const B &b) const -> decltype(a op b) \
        { \
            return a op b; \
        } \
    };
__STD_OPERATOR(plus, T, +)
__STD_OPERATOR(minus, T, -)
__STD_OPERATOR(multiplies, T, *)
__STD_OPERATOR(divides, T, /)
__STD_OPERATOR(modulus, T, %)
__STD_OPERATOR(bit_and, T, &)
__STD_OPERATOR(bit_or, T, |)
__STD_OPERATOR(bit_xor, T, ^)
__STD_OPERATOR(equal_to, bool, ==)
__STD_OPERATOR(not_equal_to, bool, !=)
__STD_OPERATOR(less, bool, <)
__STD_OPERATOR(greater, bool, >)
__STD_OPERATOR(less_equal, bool, <=)
__STD_OPERATOR(greater_equal, bool, >=)
__STD_OPERATOR(logical_and, bool, &&)
__STD_OPERATOR(logical_or, bool, ||)
#undef __STD_OPERATOR

template <class T> struct negate {
    __host__ __device__ constexpr T operator()(const T &a) const { return -a; }
};
template <class T> struct logical_not {
    __host__ __device__ constexpr bool operator()(const T &a) const { return !a; }
};

}
