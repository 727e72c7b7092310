// Enumerations written to streams; g++ prints the same.
#include <iostream>
enum e { a = 3 }; enum class s { b = 8 }; enum u8 : unsigned char { c = 65 }; enum o { z = 4 };
std::ostream &operator<<(std::ostream &os, s v) { return os << "s" << (int)v; }
std::ostream &operator<<(std::ostream &os, o v) { return os << "o" << (int)v; }
int main() { std::cout << a << " " << s::b << " " << c << " " << z << std::endl; }

// out: 3 s8 A o4
