// What is known of types while compiling: `type_traits`, and `limits`.

namespace std {

template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    typedef T value_type;
    typedef integral_constant<T, v> type;
    __host__ __device__ constexpr operator T() const { return v; }
    __host__ __device__ constexpr T operator()() const { return v; }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;

// Only its type is used.
template <class T> __host__ __device__ T &&declval();

template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_const<typename remove_volatile<T>::type>::type type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> struct remove_pointer<T *const> { typedef T type; };
template <class T> struct remove_pointer<T *volatile> { typedef T type; };
template <class T> struct remove_pointer<T *const volatile> { typedef T type; };
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> struct __decayed { typedef typename remove_cv<T>::type type; };
template <class T, size_t n> struct __decayed<T[n]> { typedef T *type; };
template <class T> struct decay { typedef typename __decayed<typename remove_reference<T>::type>::type type; };
template <class T> struct add_const { typedef const T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type *type; };
template <class T> struct add_lvalue_reference { typedef T &type; };
template <> struct add_lvalue_reference<void> { typedef void type; };
template <class T> struct add_rvalue_reference { typedef T &&type; };
template <> struct add_rvalue_reference<void> { typedef void type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using decay_t = typename decay<T>::type;
template <class T> using add_const_t = typename add_const<T>::type;
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;

// The object of a parameter `T &&`, given up unless `T` is a reference.
template <class T> __host__ __device__ constexpr T &&forward(typename remove_reference<T>::type &object)
{
    return static_cast<T &&>(object);
}

template <bool condition, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool condition, class A, class B> using conditional_t = typename conditional<condition, A, B>::type;
template <bool condition, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool condition, class T = void> using enable_if_t = typename enable_if<condition, T>::type;
template <class A, class B> struct common_type {
    typedef typename decay<decltype(true ? A() : B())>::type type;
};
template <class A, class B> using common_type_t = typename common_type<A, B>::type;

// A property of a type: its value, and the type that stands for it.
#define __STD_PROPERTY(name, is) \
    template <class T> struct name { \
        static constexpr bool value = is; \
        typedef bool value_type; \
        typedef bool_constant<(is)> type; \
        __host__ __device__ constexpr operator bool() const { return value; } \
        __host__ __device__ constexpr bool operator()() const { return value; } \
    }; \
    template <class T> constexpr bool name##_v = name<T>::value;

template <class T, class U> struct __same { static constexpr bool value = false; };
template <class T> struct __same<T, T> { static constexpr bool value = true; };
template <class T> struct __points { static constexpr bool value = false; };
template <class T> struct __points<T *> { static constexpr bool value = true; };
template <class T> struct __refers { static constexpr bool left = false, right = false; };
template <class T> struct __refers<T &> { static constexpr bool left = true, right = false; };
template <class T> struct __refers<T &&> { static constexpr bool left = false, right = true; };
template <class T> struct __is_const { static constexpr bool value = false; };
template <class T> struct __is_const<const T> { static constexpr bool value = true; };

// Of each kind of number: whether it is whole, and signed.
template <class T> struct __number { static constexpr bool whole = false, real = false, negative = false; };
#define __STD_NUMBER(type, is_whole, is_negative) \
    template <> struct __number<type> { \
        static constexpr bool whole = is_whole, real = !is_whole, negative = is_negative; \
    };
__STD_NUMBER(bool, true, false)
__STD_NUMBER(char, true, true)
__STD_NUMBER(signed char, true, true)
__STD_NUMBER(unsigned char, true, false)
__STD_NUMBER(short, true, true)
__STD_NUMBER(unsigned short, true, false)
__STD_NUMBER(int, true, true)
__STD_NUMBER(unsigned, true, false)
__STD_NUMBER(long, true, true)
__STD_NUMBER(unsigned long, true, false)
__STD_NUMBER(long long, true, true)
__STD_NUMBER(unsigned long long, true, false)
__STD_NUMBER(float, false, true)
__STD_NUMBER(double, false, true)
#undef __STD_NUMBER

__STD_PROPERTY(is_void, (__same<typename remove_cv<T>::type, void>::value))
__STD_PROPERTY(is_integral, __number<typename remove_cv<T>::type>::whole)
__STD_PROPERTY(is_floating_point, __number<typename remove_cv<T>::type>::real)
__STD_PROPERTY(is_arithmetic, (is_integral<T>::value || is_floating_point<T>::value))
__STD_PROPERTY(is_signed, __number<typename remove_cv<T>::type>::negative)
__STD_PROPERTY(is_unsigned, (is_integral<T>::value && !is_signed<T>::value))
__STD_PROPERTY(is_pointer, __points<typename remove_cv<T>::type>::value)
__STD_PROPERTY(is_const, __is_const<T>::value)
__STD_PROPERTY(is_lvalue_reference, __refers<T>::left)
__STD_PROPERTY(is_rvalue_reference, __refers<T>::right)
__STD_PROPERTY(is_reference, (__refers<T>::left || __refers<T>::right))
__STD_PROPERTY(is_class, __is_class(T))
__STD_PROPERTY(is_union, __is_union(T))
__STD_PROPERTY(is_trivially_copyable, __is_trivially_copyable(T))
#undef __STD_PROPERTY

template <class T, class U> struct is_same {
    static constexpr bool value = __same<T, U>::value;
    typedef bool value_type;
    typedef bool_constant<__same<T, U>::value> type;
    __host__ __device__ constexpr operator bool() const { return value; }
    __host__ __device__ constexpr bool operator()() const { return value; }
};
template <class T, class U> constexpr bool is_same_v = __same<T, U>::value;

template <class T> struct make_unsigned;
template <class T> struct make_signed;
#define __STD_SIGN(plain, with, without) \
    template <> struct make_unsigned<plain> { typedef without type; }; \
    template <> struct make_signed<plain> { typedef with type; };
__STD_SIGN(char, signed char, unsigned char)
__STD_SIGN(signed char, signed char, unsigned char)
__STD_SIGN(unsigned char, signed char, unsigned char)
__STD_SIGN(short, short, unsigned short)
__STD_SIGN(unsigned short, short, unsigned short)
__STD_SIGN(int, int, unsigned)
__STD_SIGN(unsigned, int, unsigned)
__STD_SIGN(long, long, unsigned long)
__STD_SIGN(unsigned long, long, unsigned long)
__STD_SIGN(long long, long long, unsigned long long)
__STD_SIGN(unsigned long long, long long, unsigned long long)
#undef __STD_SIGN
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> using make_signed_t = typename make_signed<T>::type;

enum float_round_style {
    round_indeterminate = -1,
    round_toward_zero = 0,
    round_to_nearest = 1,
    round_toward_infinity = 2,
    round_toward_neg_infinity = 3,
};

template <class T> struct numeric_limits {
    static constexpr bool is_specialized = false;
};
#define __STD_LIMITS(type, least, lowest_of, most, bits, decimals, is_negative, is_whole) \
    template <> struct numeric_limits<type> { \
        static constexpr bool is_specialized = true, is_signed = is_negative, is_integer = is_whole; \
        static constexpr bool is_exact = is_whole, is_bounded = true, is_modulo = is_whole && !is_negative; \
        static constexpr bool has_infinity = !is_whole, has_quiet_NaN = !is_whole, is_iec559 = !is_whole; \
        static constexpr int radix = 2, digits = bits, digits10 = decimals; \
        __host__ __device__ static constexpr type min() { return least; } \
        __host__ __device__ static constexpr type lowest() { return lowest_of; } \
        __host__ __device__ static constexpr type max() { return most; }
#define __STD_WHOLE(type, least, most, bits, decimals, is_negative) \
    __STD_LIMITS(type, least, least, most, bits, decimals, is_negative, true) \
        static constexpr int max_digits10 = 0, min_exponent = 0, max_exponent = 0; \
        __host__ __device__ static constexpr type epsilon() { return 0; } \
        __host__ __device__ static constexpr type round_error() { return 0; } \
        __host__ __device__ static constexpr type infinity() { return 0; } \
        __host__ __device__ static constexpr type quiet_NaN() { return 0; } \
        __host__ __device__ static constexpr type denorm_min() { return 0; } \
    };
__STD_WHOLE(bool, false, true, 1, 0, false)
__STD_WHOLE(char, CHAR_MIN, CHAR_MAX, 7, 2, true)
__STD_WHOLE(signed char, SCHAR_MIN, SCHAR_MAX, 7, 2, true)
__STD_WHOLE(unsigned char, 0, UCHAR_MAX, 8, 2, false)
__STD_WHOLE(short, SHRT_MIN, SHRT_MAX, 15, 4, true)
__STD_WHOLE(unsigned short, 0, USHRT_MAX, 16, 4, false)
__STD_WHOLE(int, INT_MIN, INT_MAX, 31, 9, true)
__STD_WHOLE(unsigned, 0, UINT_MAX, 32, 9, false)
__STD_WHOLE(long, LONG_MIN, LONG_MAX, 63, 18, true)
__STD_WHOLE(unsigned long, 0, ULONG_MAX, 64, 19, false)
__STD_WHOLE(long long, LLONG_MIN, LLONG_MAX, 63, 18, true)
__STD_WHOLE(unsigned long long, 0, ULLONG_MAX, 64, 19, false)
#undef __STD_WHOLE
__STD_LIMITS(float, FLT_MIN, -FLT_MAX, FLT_MAX, 24, 6, true, false)
    static constexpr int max_digits10 = 9, min_exponent = -125, max_exponent = 128;
    __host__ __device__ static constexpr float epsilon() { return FLT_EPSILON; }
    __host__ __device__ static constexpr float round_error() { return 0.5f; }
    __host__ __device__ static constexpr float infinity() { return HUGE_VALF; }
    __host__ __device__ static constexpr float quiet_NaN() { return NAN; }
    __host__ __device__ static constexpr float denorm_min() { return 0x1p-149f; }
};
__STD_LIMITS(double, DBL_MIN, -DBL_MAX, DBL_MAX, 53, 15, true, false)
    static constexpr int max_digits10 = 17, min_exponent = -1021, max_exponent = 1024;
    __host__ __device__ static constexpr double epsilon() { return DBL_EPSILON; }
    __host__ __device__ static constexpr double round_error() { return 0.5; }
    __host__ __device__ static constexpr double infinity() { return HUGE_VAL; }
    __host__ __device__ static constexpr double quiet_NaN() { return NAN; }
    __host__ __device__ static constexpr double denorm_min() { return 0x1p-1074; }
};
#undef __STD_LIMITS

}
