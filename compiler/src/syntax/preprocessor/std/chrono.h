// `ratio` and `chrono`. All clocks tell the same simulated time, which begins with the program.

#include <__traits.h>

namespace std {

constexpr long __divisor(long a, long b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        const long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

template <long Num, long Den = 1> struct ratio {
    static constexpr long num = (Den < 0 ? -Num : Num) / std::__divisor(Num, Den);
    static constexpr long den = (Den < 0 ? -Den : Den) / std::__divisor(Num, Den);
    typedef ratio<num, den> type;
};
typedef ratio<1, 1000000000000> pico;
typedef ratio<1, 1000000000> nano;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000> milli;
typedef ratio<1, 100> centi;
typedef ratio<1, 10> deci;
typedef ratio<10, 1> deca;
typedef ratio<100, 1> hecto;
typedef ratio<1000, 1> kilo;
typedef ratio<1000000, 1> mega;
typedef ratio<1000000000, 1> giga;

namespace chrono {

template <class Rep> struct treat_as_floating_point {
    static constexpr bool value = std::is_floating_point<Rep>::value;
};

template <class Rep, class Period = ratio<1>> class duration;

// From a unit to another: a factor, in lowest terms.
template <class From, class To> struct __factor {
    static constexpr long __first = std::__divisor(From::num, To::num);
    static constexpr long __second = std::__divisor(From::den, To::den);
    static constexpr long num = (From::num / __first) * (To::den / __second);
    static constexpr long den = (From::den / __second) * (To::num / __first);
};

template <class To, class Rep, class Period> constexpr To duration_cast(const duration<Rep, Period> &from)
{
    typedef __factor<Period, typename To::period> factor;
    typedef typename std::common_type<typename std::common_type<typename To::rep, Rep>::type, long>::type wide;
    typedef typename To::rep rep;
    if constexpr (factor::num == 1 && factor::den == 1)
        return To((rep)from.count());
    else if constexpr (factor::num == 1)
        return To((rep)((wide)from.count() / (wide)factor::den));
    else if constexpr (factor::den == 1)
        return To((rep)((wide)from.count() * (wide)factor::num));
    else
        return To((rep)((wide)from.count() * (wide)factor::num / (wide)factor::den));
}

template <class Rep, class Period> class duration {
    Rep __r;

public:
    typedef Rep rep;
    typedef typename Period::type period;
    constexpr duration() : __r() {}
    template <class Rep2> constexpr explicit duration(const Rep2 &r) : __r((Rep)r)
    {
        static_assert(
            treat_as_floating_point<Rep>::value || !treat_as_floating_point<Rep2>::value,
            "a whole number of units cannot be made of a floating-point number without a cast"
        );
    }
    template <class Rep2, class Period2>
    constexpr duration(const duration<Rep2, Period2> &other) : __r(duration_cast<duration>(other).count())
    {
        static_assert(
            treat_as_floating_point<Rep>::value ||
                (__factor<Period2, Period>::den == 1 && !treat_as_floating_point<Rep2>::value),
            "the conversion loses a part of the duration; use duration_cast"
        );
    }
    constexpr Rep count() const { return __r; }
    static constexpr duration zero() { return duration(Rep(0)); }
    static constexpr duration max() { return duration(std::numeric_limits<Rep>::max()); }
    static constexpr duration min() { return duration(std::numeric_limits<Rep>::lowest()); }
    constexpr duration operator+() const { return *this; }
    constexpr duration operator-() const { return duration(-__r); }
    duration &operator++()
    {
        ++__r;
        return *this;
    }
    duration operator++(int) { return duration(__r++); }
    duration &operator--()
    {
        --__r;
        return *this;
    }
    duration operator--(int) { return duration(__r--); }
    duration &operator+=(const duration &other)
    {
        __r += other.__r;
        return *this;
    }
    duration &operator-=(const duration &other)
    {
        __r -= other.__r;
        return *this;
    }
    template <class Rep2, class Period2> duration &operator+=(const duration<Rep2, Period2> &other)
    {
        return *this += duration(other);
    }
    template <class Rep2, class Period2> duration &operator-=(const duration<Rep2, Period2> &other)
    {
        return *this -= duration(other);
    }
    duration &operator*=(const Rep &by)
    {
        __r *= by;
        return *this;
    }
    duration &operator/=(const Rep &by)
    {
        __r /= by;
        return *this;
    }
};

// The type that holds two durations exactly.
template <class A, class B> struct __both;
template <class Rep1, class Period1, class Rep2, class Period2>
struct __both<duration<Rep1, Period1>, duration<Rep2, Period2>> {
    static constexpr long __num = std::__divisor(Period1::num, Period2::num);
    static constexpr long __den = Period1::den / std::__divisor(Period1::den, Period2::den) * Period2::den;
    typedef duration<typename std::common_type<Rep1, Rep2>::type, typename ratio<__num, __den>::type> type;
};

template <class R1, class P1, class R2, class P2>
constexpr typename __both<duration<R1, P1>, duration<R2, P2>>::type
operator+(const duration<R1, P1> &a, const duration<R2, P2> &b)
{
    typedef typename __both<duration<R1, P1>, duration<R2, P2>>::type both;
    return both(both(a).count() + both(b).count());
}
template <class R1, class P1, class R2, class P2>
constexpr typename __both<duration<R1, P1>, duration<R2, P2>>::type
operator-(const duration<R1, P1> &a, const duration<R2, P2> &b)
{
    typedef typename __both<duration<R1, P1>, duration<R2, P2>>::type both;
    return both(both(a).count() - both(b).count());
}
template <class R1, class P1, class R2, class P2>
constexpr typename std::common_type<R1, R2>::type
operator/(const duration<R1, P1> &a, const duration<R2, P2> &b)
{
    typedef typename __both<duration<R1, P1>, duration<R2, P2>>::type both;
    return both(a).count() / both(b).count();
}
template <class R, class P, class N>
constexpr duration<typename std::common_type<R, N>::type, P> operator*(const duration<R, P> &a, const N &by)
{
    typedef typename std::common_type<R, N>::type rep;
    return duration<rep, P>((rep)a.count() * (rep)by);
}
template <class N, class R, class P>
constexpr duration<typename std::common_type<R, N>::type, P> operator*(const N &by, const duration<R, P> &a)
{
    return a * by;
}
template <class R, class P, class N>
constexpr duration<typename std::common_type<R, N>::type, P> operator/(const duration<R, P> &a, const N &by)
{
    typedef typename std::common_type<R, N>::type rep;
    return duration<rep, P>((rep)a.count() / (rep)by);
}
template <class R1, class P1, class R2, class P2>
constexpr bool operator==(const duration<R1, P1> &a, const duration<R2, P2> &b)
{
    typedef typename __both<duration<R1, P1>, duration<R2, P2>>::type both;
    return both(a).count() == both(b).count();
}
template <class R1, class P1, class R2, class P2>
constexpr bool operator<(const duration<R1, P1> &a, const duration<R2, P2> &b)
{
    typedef typename __both<duration<R1, P1>, duration<R2, P2>>::type both;
    return both(a).count() < both(b).count();
}
template <class R1, class P1, class R2, class P2>
constexpr bool operator!=(const duration<R1, P1> &a, const duration<R2, P2> &b) { return !(a == b); }
template <class R1, class P1, class R2, class P2>
constexpr bool operator>(const duration<R1, P1> &a, const duration<R2, P2> &b) { return b < a; }
template <class R1, class P1, class R2, class P2>
constexpr bool operator<=(const duration<R1, P1> &a, const duration<R2, P2> &b) { return !(b < a); }
template <class R1, class P1, class R2, class P2>
constexpr bool operator>=(const duration<R1, P1> &a, const duration<R2, P2> &b) { return !(a < b); }

typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60>> minutes;
typedef duration<long, ratio<3600>> hours;

template <class Clock, class Duration = typename Clock::duration> class time_point {
    Duration __d;

public:
    typedef Clock clock;
    typedef Duration duration;
    typedef typename Duration::rep rep;
    typedef typename Duration::period period;
    constexpr time_point() : __d(Duration::zero()) {}
    constexpr explicit time_point(const Duration &d) : __d(d) {}
    template <class Duration2>
    constexpr time_point(const time_point<Clock, Duration2> &other) : __d(other.time_since_epoch()) {}
    constexpr Duration time_since_epoch() const { return __d; }
    static constexpr time_point min() { return time_point(Duration::min()); }
    static constexpr time_point max() { return time_point(Duration::max()); }
    time_point &operator+=(const Duration &by)
    {
        __d += by;
        return *this;
    }
    time_point &operator-=(const Duration &by)
    {
        __d -= by;
        return *this;
    }
    template <class Rep2, class Period2> time_point &operator+=(const chrono::duration<Rep2, Period2> &by)
    {
        return *this += Duration(by);
    }
    template <class Rep2, class Period2> time_point &operator-=(const chrono::duration<Rep2, Period2> &by)
    {
        return *this -= Duration(by);
    }
};

template <class To, class Clock, class Duration>
constexpr time_point<Clock, To> time_point_cast(const time_point<Clock, Duration> &from)
{
    return time_point<Clock, To>(duration_cast<To>(from.time_since_epoch()));
}

template <class Clock, class D, class R, class P>
constexpr time_point<Clock, typename __both<D, duration<R, P>>::type>
operator+(const time_point<Clock, D> &a, const duration<R, P> &b)
{
    typedef time_point<Clock, typename __both<D, duration<R, P>>::type> result;
    return result(a.time_since_epoch() + b);
}
template <class R, class P, class Clock, class D>
constexpr time_point<Clock, typename __both<D, duration<R, P>>::type>
operator+(const duration<R, P> &a, const time_point<Clock, D> &b)
{
    return b + a;
}
template <class Clock, class D, class R, class P>
constexpr time_point<Clock, typename __both<D, duration<R, P>>::type>
operator-(const time_point<Clock, D> &a, const duration<R, P> &b)
{
    typedef time_point<Clock, typename __both<D, duration<R, P>>::type> result;
    return result(a.time_since_epoch() - b);
}
template <class Clock, class D1, class D2>
constexpr typename __both<D1, D2>::type operator-(const time_point<Clock, D1> &a, const time_point<Clock, D2> &b)
{
    return a.time_since_epoch() - b.time_since_epoch();
}
template <class Clock, class D1, class D2>
constexpr bool operator==(const time_point<Clock, D1> &a, const time_point<Clock, D2> &b)
{
    return a.time_since_epoch() == b.time_since_epoch();
}
template <class Clock, class D1, class D2>
constexpr bool operator<(const time_point<Clock, D1> &a, const time_point<Clock, D2> &b)
{
    return a.time_since_epoch() < b.time_since_epoch();
}
template <class Clock, class D1, class D2>
constexpr bool operator!=(const time_point<Clock, D1> &a, const time_point<Clock, D2> &b) { return !(a == b); }
template <class Clock, class D1, class D2>
constexpr bool operator>(const time_point<Clock, D1> &a, const time_point<Clock, D2> &b) { return b < a; }
template <class Clock, class D1, class D2>
constexpr bool operator<=(const time_point<Clock, D1> &a, const time_point<Clock, D2> &b) { return !(b < a); }
template <class Clock, class D1, class D2>
constexpr bool operator>=(const time_point<Clock, D1> &a, const time_point<Clock, D2> &b) { return !(a < b); }

static inline nanoseconds __now()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return nanoseconds(now.tv_sec * 1000000000L + now.tv_nsec);
}

struct system_clock {
    typedef nanoseconds duration;
    typedef duration::rep rep;
    typedef duration::period period;
    typedef std::chrono::time_point<system_clock, nanoseconds> time_point;
    static constexpr bool is_steady = false;
    static time_point now() { return time_point(std::chrono::__now()); }
    static time_t to_time_t(const time_point &of)
    {
        return duration_cast<seconds>(of.time_since_epoch()).count();
    }
    static time_point from_time_t(time_t of) { return time_point(duration(seconds(of))); }
};

struct steady_clock {
    typedef nanoseconds duration;
    typedef duration::rep rep;
    typedef duration::period period;
    typedef std::chrono::time_point<steady_clock, nanoseconds> time_point;
    static constexpr bool is_steady = true;
    static time_point now() { return time_point(std::chrono::__now()); }
};

using high_resolution_clock = system_clock;

}
}
