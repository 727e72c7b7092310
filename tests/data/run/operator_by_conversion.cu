// The built-in operator, to which one object is converted, is better than a function that converts both operands.
#include <cstdio>

struct made {
    int v;
    made(int n) : v(n) {}
    operator unsigned long() const { return v + 100; }
};
bool operator==(made, int &&) { return true; }

struct both {
    int v;
    both(int n) : v(n) {}
    operator int() const { return v; }
};
int operator+(both a, both b) { return a.v * b.v; }

struct counted {
    int v;
    operator long() const { return v; }
};
int operator<(counted, counted) { return 7; }

int main()
{
    made m(5);
    printf("%d %d\n", 5 == m, 105 == m);
    both a(3), b(4);
    printf("%d\n", a + b);
    counted c{2};
    printf("%d %d %d\n", c < c, c < 3, 1 < c);
    printf("%ld %d\n", -c, !c);
}

// out: 0 1
// out: 12
// out: 7 1 1
// out: -2 0
