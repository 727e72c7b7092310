// Names of the standard library in blocks and namespaces; g++ prints the same.
#include <iostream>
int local() { using std::cout; using std::endl; cout << "x" << 1 << endl; { using std::hex; cout << hex << 17 << endl; } return 0; }
#include <iostream>
#include <cstdint>
namespace app { using std::cout; using std::endl; using std::uint8_t; using std::int64_t; void f() { uint8_t x = 200; int64_t y = x * 2; cout << y << endl; } }

int main() { local(); app::f(); }

// out: x1
// out: 11
// out: 190
