// Names of the standard library without `std::`; g++ prints the same.
#include <iostream>
#include <iomanip>
#include <vector>
#include <string>
#include <algorithm>
#include <cmath>
using std::cout; using std::endl; using std::cerr; using std::setw; using std::fixed; using std::setprecision; using std::vector; using std::string; using std::min; using std::max; using std::sqrt; using std::swap; using std::hex; using std::dec; using std::left; using std::setfill; using std::size_t; using std::ostream;
ostream &show(ostream &o, int x) { return o << x; }
int main() { vector<int> v(3, 4); string s = "hi"; cout << setw(5) << v[0] << " " << s << endl; cout << fixed << setprecision(2) << sqrt(2.0) << " " << min(3, 2) << max(1, 9) << endl; int a = 1, b = 2; swap(a, b); cout << hex << 255 << dec << " " << a << b << setfill('*') << setw(4) << left << 7 << endl; size_t n = v.size(); show(cout, (int)n) << endl; }

// out:     4 hi
// out: 1.41 29
// out: ff 217***
// out: 3
