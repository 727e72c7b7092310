// `random`: engines as the standard has them, distributions as libstdc++ has them. What `random_device` tells is
// the same in each run.

#include <__traits.h>
#include <__uniform.h>
#include <numeric>
#include <string>
#include <vector>

namespace std {

template <class UInt, UInt a, UInt c, UInt m> class linear_congruential_engine {
    UInt __x;

public:
    typedef UInt result_type;
    static constexpr UInt multiplier = a, increment = c, modulus = m, default_seed = 1;
    linear_congruential_engine() { seed(); }
    explicit linear_congruential_engine(UInt value) { seed(value); }
    void seed() { seed(default_seed); }
    void seed(UInt value)
    {
        if constexpr (m == 0)
            __x = value;
        else
            __x = c % m == 0 && value % m == 0 ? 1 : value % m;
    }
    static constexpr UInt min() { return c == 0; }
    static constexpr UInt max() { return m - 1; }
    UInt operator()()
    {
        if constexpr (m == 0)
            __x = a * __x + c;
        else
            __x = (UInt)(((unsigned long)a * __x + c) % m);
        return __x;
    }
    void discard(unsigned long long n)
    {
        for (; n > 0; --n)
            (*this)();
    }
    bool operator==(const linear_congruential_engine &other) const { return __x == other.__x; }
    bool operator!=(const linear_congruential_engine &other) const { return __x != other.__x; }
    static_assert(
        m <= 0x100000000UL && (m == 0 || (a <= 0xffffffffUL && c <= 0xffffffffUL)),
        "unsupported: linear congruential engines of more than 32 bits"
    );
};
typedef linear_congruential_engine<unsigned long, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned long, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand0 default_random_engine;

template <
    class UInt, size_t w, size_t n, size_t m, size_t r, UInt a, size_t u, UInt d, size_t s, UInt b, size_t t, UInt c,
    size_t l, UInt f>
class mersenne_twister_engine {
    UInt __x[n];
    size_t __at;

    void __step(size_t k, size_t next, size_t other)
    {
        const UInt y = (__x[k] & (~(UInt)0 << r)) | (__x[next] & ~(~(UInt)0 << r));
        __x[k] = __x[other] ^ (y >> 1) ^ (y & 1 ? a : 0);
    }
    void __draw()
    {
        for (size_t k = 0; k < n - m; k++)
            __step(k, k + 1, k + m);
        for (size_t k = n - m; k < n - 1; k++)
            __step(k, k + 1, k + m - n);
        __step(n - 1, 0, m - 1);
        __at = 0;
    }

public:
    typedef UInt result_type;
    static constexpr size_t word_size = w, state_size = n, shift_size = m, mask_bits = r;
    static constexpr UInt default_seed = 5489;
    mersenne_twister_engine() { seed(); }
    explicit mersenne_twister_engine(UInt value) { seed(value); }
    void seed() { seed(default_seed); }
    void seed(UInt value)
    {
        __x[0] = value & max();
        for (size_t i = 1; i < n; i++)
            __x[i] = (f * (__x[i - 1] ^ (__x[i - 1] >> (w - 2))) + i) & max();
        __at = n;
    }
    static constexpr UInt min() { return 0; }
    static constexpr UInt max() { return ~(UInt)0 >> (sizeof(UInt) * 8 - w); }
    UInt operator()()
    {
        if (__at >= n)
            __draw();
        UInt y = __x[__at++];
        y ^= (y >> u) & d;
        y ^= (y << s) & b;
        y ^= (y << t) & c;
        return y ^ (y >> l);
    }
    void discard(unsigned long long count)
    {
        for (; count > 0; --count)
            (*this)();
    }
    bool operator==(const mersenne_twister_engine &other) const
    {
        for (size_t i = 0; i < n; i++)
            if (__x[i] != other.__x[i])
                return false;
        return __at == other.__at;
    }
    bool operator!=(const mersenne_twister_engine &other) const { return !(*this == other); }
};
typedef mersenne_twister_engine<
    unsigned long, 32, 624, 397, 31, 0x9908b0dfUL, 11, 0xffffffffUL, 7, 0x9d2c5680UL, 15, 0xefc60000UL, 18, 1812433253UL>
    mt19937;
typedef mersenne_twister_engine<
    unsigned long, 64, 312, 156, 31, 0xb5026f5aa96619e9UL, 29, 0x5555555555555555UL, 17, 0x71d67fffeda60000UL, 37,
    0xfff7eee000000000UL, 43, 6364136223846793005UL>
    mt19937_64;

class random_device {
    mt19937 __engine;

public:
    typedef unsigned result_type;
    random_device() {}
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return 0xffffffff; }
    double entropy() const { return 0; }
    unsigned operator()() { return (unsigned)__engine(); }
};

// How often a generator draws for a number from 0 to below 1 with all the bits of `Real`.
constexpr unsigned long __whole_bits(unsigned long most)
{
    unsigned long bits = 0;
    while (bits < 64 && (2UL << bits) - 1 <= most)
        bits++;
    return bits;
}
template <class Real, class G> struct __draws {
    static constexpr unsigned long range = G::max() - G::min();
    static constexpr unsigned long bits = std::__whole_bits(range), wanted = numeric_limits<Real>::digits;
    static constexpr unsigned long count = (wanted + bits - 1) / bits;
};

template <class Real, size_t, class G> Real generate_canonical(G &g)
{
    typedef __draws<Real, G> draws;
    const double range = (double)draws::range + 1;
    Real sum = 0, scale = 1;
    for (unsigned long k = draws::count; k > 0; k--) {
        sum += (Real)(g() - G::min()) * scale;
        scale = (Real)(scale * range);
    }
    const Real result = sum / scale;
    return result >= 1 ? 1 - numeric_limits<Real>::epsilon() / 2 : result;
}
template <class Real, class G> Real __canonical(G &g) { return std::generate_canonical<Real, 64>(g); }

template <class Int = int> class uniform_int_distribution {
    Int __a, __b;

public:
    typedef Int result_type;
    struct param_type {
        typedef uniform_int_distribution<Int> distribution_type;
        Int __a, __b;
        param_type() : __a(0), __b(numeric_limits<Int>::max()) {}
        explicit param_type(Int a) : __a(a), __b(numeric_limits<Int>::max()) {}
        param_type(Int a, Int b) : __a(a), __b(b) {}
        Int a() const { return __a; }
        Int b() const { return __b; }
    };
    static_assert(is_integral<Int>::value, "the result of uniform_int_distribution is an integer");
    uniform_int_distribution() : __a(0), __b(numeric_limits<Int>::max()) {}
    explicit uniform_int_distribution(Int a) : __a(a), __b(numeric_limits<Int>::max()) {}
    uniform_int_distribution(Int a, Int b) : __a(a), __b(b) {}
    explicit uniform_int_distribution(const param_type &of) : __a(of.__a), __b(of.__b) {}
    void reset() {}
    Int a() const { return __a; }
    Int b() const { return __b; }
    Int min() const { return __a; }
    Int max() const { return __b; }
    param_type param() const { return param_type(__a, __b); }
    void param(const param_type &of)
    {
        __a = of.__a;
        __b = of.__b;
    }
    template <class G> Int operator()(G &g) const
    {
        return (Int)(std::__uniform(g, (unsigned long)__b - (unsigned long)__a) + (unsigned long)__a);
    }
    template <class G> Int operator()(G &g, const param_type &of) const
    {
        return uniform_int_distribution(of)(g);
    }
};

template <class Real = double> class uniform_real_distribution {
    Real __a, __b;

public:
    typedef Real result_type;
    struct param_type {
        typedef uniform_real_distribution<Real> distribution_type;
        Real __a, __b;
        param_type() : __a(0), __b(1) {}
        explicit param_type(Real a) : __a(a), __b(1) {}
        param_type(Real a, Real b) : __a(a), __b(b) {}
        Real a() const { return __a; }
        Real b() const { return __b; }
    };
    static_assert(is_floating_point<Real>::value, "the result of uniform_real_distribution is a floating-point number");
    uniform_real_distribution() : __a(0), __b(1) {}
    explicit uniform_real_distribution(Real a) : __a(a), __b(1) {}
    uniform_real_distribution(Real a, Real b) : __a(a), __b(b) {}
    explicit uniform_real_distribution(const param_type &of) : __a(of.__a), __b(of.__b) {}
    void reset() {}
    Real a() const { return __a; }
    Real b() const { return __b; }
    Real min() const { return __a; }
    Real max() const { return __b; }
    param_type param() const { return param_type(__a, __b); }
    void param(const param_type &of)
    {
        __a = of.__a;
        __b = of.__b;
    }
    template <class G> Real operator()(G &g) const { return std::__canonical<Real>(g) * (__b - __a) + __a; }
    template <class G> Real operator()(G &g, const param_type &of) const
    {
        return uniform_real_distribution(of)(g);
    }
};

// Both numbers that a pair of uniform ones gives are used (Marsaglia's polar method).
template <class Real = double> class normal_distribution {
    Real __mean, __deviation, __kept;
    bool __has_kept;

public:
    typedef Real result_type;
    struct param_type {
        typedef normal_distribution<Real> distribution_type;
        Real __mean, __deviation;
        param_type() : __mean(0), __deviation(1) {}
        explicit param_type(Real mean) : __mean(mean), __deviation(1) {}
        param_type(Real mean, Real deviation) : __mean(mean), __deviation(deviation) {}
        Real mean() const { return __mean; }
        Real stddev() const { return __deviation; }
    };
    static_assert(is_floating_point<Real>::value, "the result of normal_distribution is a floating-point number");
    normal_distribution() : __mean(0), __deviation(1), __kept(0), __has_kept(false) {}
    explicit normal_distribution(Real mean) : __mean(mean), __deviation(1), __kept(0), __has_kept(false) {}
    normal_distribution(Real mean, Real deviation)
        : __mean(mean), __deviation(deviation), __kept(0), __has_kept(false)
    {
    }
    explicit normal_distribution(const param_type &of)
        : __mean(of.__mean), __deviation(of.__deviation), __kept(0), __has_kept(false)
    {
    }
    void reset() { __has_kept = false; }
    Real mean() const { return __mean; }
    Real stddev() const { return __deviation; }
    Real min() const { return numeric_limits<Real>::lowest(); }
    Real max() const { return numeric_limits<Real>::max(); }
    param_type param() const { return param_type(__mean, __deviation); }
    void param(const param_type &of)
    {
        __mean = of.__mean;
        __deviation = of.__deviation;
    }
    template <class G> Real operator()(G &g) { return (*this)(g, param()); }
    template <class G> Real operator()(G &g, const param_type &of)
    {
        if (__has_kept) {
            __has_kept = false;
            return __kept * of.__deviation + of.__mean;
        }
        Real x, y, square;
        do {
            x = (Real)2 * std::__canonical<Real>(g) - 1;
            y = (Real)2 * std::__canonical<Real>(g) - 1;
            square = x * x + y * y;
        } while (square > 1 || square == 0);
        const Real factor = sqrt(-2 * log(square) / square);
        __kept = x * factor;
        __has_kept = true;
        return y * factor * of.__deviation + of.__mean;
    }
};

template <class Real = double> class lognormal_distribution {
    Real __m, __s;
    normal_distribution<Real> __normal;

public:
    typedef Real result_type;
    lognormal_distribution() : __m(0), __s(1), __normal() {}
    explicit lognormal_distribution(Real m) : __m(m), __s(1), __normal() {}
    lognormal_distribution(Real m, Real s) : __m(m), __s(s), __normal() {}
    void reset() { __normal.reset(); }
    Real m() const { return __m; }
    Real s() const { return __s; }
    template <class G> Real operator()(G &g) { return exp(__s * __normal(g) + __m); }
};

class bernoulli_distribution {
    double __p;

public:
    typedef bool result_type;
    bernoulli_distribution() : __p(0.5) {}
    explicit bernoulli_distribution(double p) : __p(p) {}
    void reset() {}
    double p() const { return __p; }
    bool min() const { return false; }
    bool max() const { return true; }
    template <class G> bool operator()(G &g) const { return std::__canonical<double>(g) < __p; }
};

template <class Real = double> class exponential_distribution {
    Real __lambda;

public:
    typedef Real result_type;
    exponential_distribution() : __lambda(1) {}
    explicit exponential_distribution(Real lambda) : __lambda(lambda) {}
    void reset() {}
    Real lambda() const { return __lambda; }
    Real min() const { return 0; }
    Real max() const { return numeric_limits<Real>::max(); }
    template <class G> Real operator()(G &g) const { return -log((Real)1 - std::__canonical<Real>(g)) / __lambda; }
};

template <class Int = int> class discrete_distribution {
    vector<double> __probabilities, __sums;

    void __begin()
    {
        if (__probabilities.size() < 2) {
            __probabilities.clear();
            return;
        }
        const double sum = std::accumulate(__probabilities.begin(), __probabilities.end(), 0.0);
        double all = 0;
        for (size_t i = 0; i < __probabilities.size(); i++) {
            __probabilities[i] /= sum;
            all = i == 0 ? __probabilities[i] : all + __probabilities[i];
            __sums.push_back(all);
        }
        __sums.back() = 1;
    }

public:
    typedef Int result_type;
    discrete_distribution() {}
    template <class It> discrete_distribution(It first, It last) : __probabilities(first, last) { __begin(); }
    discrete_distribution(std::initializer_list<double> list) : __probabilities(list) { __begin(); }
    void reset() {}
    vector<double> probabilities() const
    {
        return __probabilities.empty() ? vector<double>(1, 1.0) : __probabilities;
    }
    Int min() const { return 0; }
    Int max() const { return __probabilities.empty() ? 0 : (Int)(__probabilities.size() - 1); }
    template <class G> Int operator()(G &g) const
    {
        if (__sums.empty())
            return 0;
        const double drawn = std::__canonical<double>(g);
        return (Int)(std::lower_bound(__sums.begin(), __sums.end(), drawn) - __sums.begin());
    }
};

}
