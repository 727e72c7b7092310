// Behind an unknown operand nothing is said of the manipulators that follow it.
#include <iostream>
using namespace std;

template <class T> constexpr T half = T(0.5);
template <class T> constexpr T half<T *> = T(1); //~ error
constexpr int endless(int n) { return endless(n + 1); }
int plain(int n) { return n; }

int main()
{
    cout << missing //~ error
         << endl;
    cout << 1 << also_missing.value //~ error
         << hex << 255 << endl;
    std::cerr << unknown(3) //~ error
              << std::endl << std::flush;
    cout << half //~ error
         << endl;
    int a[endless(1)]; //~ error
    int b[plain(1)]; //~ error
    static_assert(endless(2) == 1, "never"); //~ error
    cout << missing << endl;
    return half<float, 2>; //~ error
}
