// Members end behind the body of their structure's destructor and arrays from their last element on; g++ agrees.
#include <stdio.h>

struct Noisy {
    int id;
    Noisy() : id(count++) { printf("+%d ", id); }
    Noisy(int id) : id(id) { printf("+%d ", id); }
    ~Noisy() { printf("-%d ", id); }
    static int count;
};
int Noisy::count = 0;

struct Pair {
    Noisy first, second;
    Pair(int n) : second(n + 1), first(n) { printf("pair "); }
    ~Pair() { printf("~pair "); }
};

struct Plain {
    Noisy a;
    int b;
    Noisy c;
};

struct Deep {
    Pair pair;
    Plain plain;
    Noisy row[2];
    Deep() : pair(500) { printf("deep "); }
    ~Deep();
};

inline Deep::~Deep()
{
    printf("~deep ");
}

struct Empty {
    Noisy inside;
    ~Empty() {}
};

struct Defaulted {
    Noisy inside;
    ~Defaulted() = default;
};

struct Adds {
    int *p;
    Adds(int *p) : p(p) {}
    ~Adds() { *p += 100; }
};
struct Early {
    int n;
    Early(bool early) : n(1)
    {
        Adds adds(&n);
        if (early)
            return;
        n = 2;
    }
};
struct Whole {
    int a, b;
    Whole() : a(Noisy(800).id), b(Noisy(801).id) { printf("%d ", a + b); }
};

int main()
{
    Early one(false), two(true);
    printf("%d %d\n", one.n, two.n);
    Whole whole;
    printf("\n");
    { Noisy a[3]; }
    printf("\n");
    { Noisy a[2][2]; }
    printf("\n");
    { Noisy a[3] = {Noisy(100), Noisy(101)}; }
    printf("\n");
    { Noisy a[] = {200, 201, 202}; }
    printf("\n");
    { Pair p(300); }
    printf("\n");
    { Plain p; }
    printf("\n");
    { Plain p = {Noisy(400), 5, Noisy(401)}; printf("%d ", p.a.id + p.b + p.c.id); }
    printf("\n");
    { Plain p[2]; }
    printf("\n");
    { Deep d; }
    printf("\n");
    { Empty e; Defaulted d; }
    printf("\n");
}

// out: 102 101
// out: +800 -800 +801 -801 1601
// out: +0 +1 +2 -2 -1 -0
// out: +3 +4 +5 +6 -6 -5 -4 -3
// out: +100 +101 +7 -7 -101 -100
// out: +200 +201 +202 -202 -201 -200
// out: +300 +301 pair ~pair -301 -300
// out: +8 +9 -9 -8
// out: +400 +401 806 -401 -400
// out: +10 +11 +12 +13 -13 -12 -11 -10
// out: +500 +501 pair +14 +15 +16 +17 deep ~deep -17 -16 -15 -14 ~pair -501 -500
// out: +18 +19 -19 -18
