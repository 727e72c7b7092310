// Durations and points in time as libstdc++ has them; the clocks tell simulated time, which only goes on.
// cc: no
#include <chrono>
#include <cstdio>
using namespace std::chrono;
using Clock = std::chrono::high_resolution_clock;
typedef std::chrono::duration<float, std::milli> fms;

int main()
{
    Clock::time_point begin = Clock::now();
    volatile int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += i;
    std::chrono::time_point<system_clock> end = Clock::now();
    auto taken = duration_cast<nanoseconds>(end - begin).count();
    printf("%d %d\n", taken > 1000, fms(end - begin).count() > 0);
    printf("%d\n", steady_clock::now() >= steady_clock::time_point() + nanoseconds(1));
    microseconds us = milliseconds(5) + microseconds(3);
    us += seconds(1);
    printf("%ld %ld %ld %g\n", (long)us.count(), (long)duration_cast<milliseconds>(us).count(),
           (long)duration_cast<seconds>(-us).count(), duration<double>(us).count());
    printf("%d %d %d\n", us > seconds(1), milliseconds(2) == microseconds(2000), hours(1) < minutes(59));
    printf("%ld %ld %ld\n", (long)(us / milliseconds(1)), (long)(3 * us).count(), (long)(us / 7).count());
    printf("%.9g %.9g\n", fms(nanoseconds(1234567)).count(), duration_cast<duration<float>>(nanoseconds(123456789)).count());
    printf("%ld %ld\n", (long)std::ratio<6, -4>::num, (long)std::ratio<6, -4>::den);
    auto later = begin + seconds(2);
    printf("%ld\n", (long)duration_cast<milliseconds>(later - begin).count());
    printf("%d\n", std::is_same<decltype(milliseconds(1) + nanoseconds(1)), nanoseconds>::value);
}

// out: 1 1
// out: 1
// out: 1005003 1005 -1 1.005
// out: 1 1 0
// out: 1005 3015009 143571
// out: 1.23456705 0.123456791
// out: -3 2
// out: 2000
// out: 1
