// `__func__` and `__FUNCTION__` are the name of the function around; `std::` before C's functions.
#include <cmath>
#include <cstdio>

#define REPORT(value) std::printf("%s:%s: %g\n", __func__, __FUNCTION__, (double)(value))

static double larger(double a, double b)
{
    REPORT(a);
    return std::fmax(a, b);
}

int main()
{
    REPORT(larger(1, std::copysign(2.0, 3.0)) + std::rint(0.5));
    return 0;
}

// out: larger:larger: 1
// out: main:main: 2
