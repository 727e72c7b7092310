// Output with the streams of C++, as libstdc++ writes it.
#include <iostream>
#include <iomanip>
using namespace std;

struct pair_of { int a; float b; };

int main()
{
    int n = -42;
    unsigned u = 4000000000u;
    long l = -1234567890123L;
    unsigned long long q = 18446744073709551615ull;
    short s = -7;
    unsigned char byte = 'B';
    bool yes = true;
    const char *text = "text";
    char array[] = "array";
    std::cout << "start" << std::endl;
    cout << n << ' ' << u << " " << l << ' ' << q << ' ' << s << ' ' << byte << yes << endl;
    cout << text << array << 'c' << "\n" << flush;
    cout << 1.0 << ' ' << 0.1f << ' ' << 1e10 << ' ' << 1234567.0 << ' ' << 1e-5 << ' ' << 3.14159265 << endl;
    cout << 100000.0 << ' ' << 1000000.0 << ' ' << 1.5e300 << ' ' << -0.0 << ' ' << 1.0f / 3 << endl;
    cout << setprecision(3) << 3.14159 << ' ' << 1234.5 << ' ' << setprecision(10) << 1.0 / 3 << endl;
    cout << fixed << setprecision(2) << 2.5 << ' ' << 1e6 << ' ' << 0.005 << endl;
    cout << scientific << 12345.678 << ' ' << setprecision(0) << 15.0 << endl;
    cout << defaultfloat << setprecision(6);
    cout << '|' << setw(6) << 42 << '|' << left << setw(6) << 42 << '|' << right << setw(6) << "ab" << '|' << setw(3) << 'x' << "|\n";
    cout << setfill('0') << setw(8) << -42 << ' ' << internal << setw(8) << -42 << ' ' << setw(8) << 3.5 << setfill(' ') << right << endl;
    cout << hex << 255 << ' ' << -1 << ' ' << s << ' ' << showbase << 255 << ' ' << uppercase << 255 << nouppercase << ' ' << oct << 8 << ' ' << 0 << noshowbase << dec << endl;
    cout << boolalpha << yes << ' ' << !yes << noboolalpha << ' ' << (n < 0) << endl;
    cout << showpos << 5 << ' ' << 5u << ' ' << 2.5 << ' ' << 0 << noshowpos << ' ' << showpoint << 2.0 << ' ' << 10 << noshowpoint << endl;
    cout << 1.0 / 0.0 << ' ' << -1.0 / 0.0 << setw(8) << 7 << setw(2) << 12345 << endl;
    cout << (n > 0 ? "positive" : "negative") << ' ' << (n << 2) << ' ' << n * 2 + 1 << ' ' << sizeof(int) << endl;
    int *none = NULL;
    cout << none << ' ' << (void *)0 << endl;
    for (int i = 0; i < 3; i++)
        cout << i << (i < 2 ? ", " : "\n");
    pair_of p = {1, 2.5f}, r = {3, 4.5f};
    swap(p, r);
    int a[3] = {1, 2, 3}, i = 0;
    std::swap(a[i++], a[2]);
    std::swap(i, n);
    cout << p.a << ' ' << r.b << ' ' << a[0] << a[1] << a[2] << ' ' << i << ' ' << n << endl;
    std::cout << std::min(3, 4) << std::max(2.5, 1.5) << ' ' << std::abs(-2.5) << std::hex << std::setw(5) << 26 << '\n';
    std::cerr << "to standard error " << 5 << std::endl;
    clog << "log" << endl;
    return 0;
}

// out: start
// out: -42 4000000000 -1234567890123 18446744073709551615 -7 B1
// out: textarrayc
// out: 1 0.1 1e+10 1.23457e+06 1e-05 3.14159
// out: 100000 1e+06 1.5e+300 -0 0.333333
// out: 3.14 1.23e+03 0.3333333333
// out: 2.50 1000000.00 0.01
// out: 1.23e+04 2e+01
// out: |    42|42    |    ab|  x|
// out: 00000-42 -0000042 000003.5
// out: ff ffffffff fff9 0xff 0XFF 010 0
// out: true false 1
// out: +5 5 +2.5 +0 2.00000 10
// out: inf -inf       712345
// out: negative -168 -83 4
// out: 0 0
// out: 0, 1, 2
// out: 3 2.5 321 -42 1
// out: 32.5 2.5   1a
