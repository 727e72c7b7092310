// Temporaries end behind the whole of their expression, those that are made in it only; g++ agrees.
#include <stdio.h>

// The first to begin is the last to end.
struct Line {
    ~Line() { printf("\n"); }
} line;

struct Noisy {
    int id;
    Noisy(int id) : id(id) { printf("+%d ", id); }
    Noisy(const Noisy &other) : id(other.id + 100) { printf("c%d ", id); }
    ~Noisy() { printf("-%d ", id); }
    int get() const { return id; }
    bool is(int n) const { return id == n; }
    Noisy next() const { return Noisy(id + 1); }
    const Noisy &self() const { return *this; }
    operator int() const { return id; }
};

Noisy make(int id) { return Noisy(id); }
int show(const Noisy &a) { return printf("(%d) ", a.id); }
int sum(const Noisy &a, const Noisy &b) { return a.id + b.id; }
bool test(const Noisy &a) { return a.id > 5; }
Noisy operator+(const Noisy &a, const Noisy &b) { return Noisy(a.id + b.id); }

int main()
{
    make(1);
    printf("| ");
    Noisy(2).get();
    printf("| %d\n", make(3).next().next().get());
    int s = sum(make(4), make(4));
    printf("= %d\n", s);
    show(make(6).self());
    printf("\n");
    make(1) + make(1);
    printf("\n");
    if (make(7).is(7) && make(8).is(9) || make(10).is(10))
        printf("yes\n");
    for (int i = 0; i < 3; i++) {
        int v = i == 1 ? make(20).get() : i == 2 ? make(21).get() + make(22).get() : 0;
        printf("%d %d\n", v, i && make(30 + i).is(31));
    }
    const Noisy &kept = make(40);
    const Noisy &made = Noisy(41);
    printf("kept %d %d\n", kept.id, made.id);
    for (int i = 0; make(50 + i).is(52) == false; i++, make(60 + i))
        printf(". ");
    printf("\n");
    int n = 3;
    while (test(make(n + n)))
        n--;
    do
        n++;
    while (make(n).is(3));
    printf("\n");
    switch (make(2).get()) {
    case 2:
        printf("two\n");
    }
    Noisy a = make(70);
    Noisy b(make(71));
    Noisy c = a + b;
    printf("%d\n", c.id);
    make(80), make(81), printf(", ");
    int d = (make(82), make(83).get());
    printf("%d\n", d);
    n = make(84);
    n += make(85).get() + 1;
    printf("%d\n", n);
    const int &e = make(86).id + 1;
    printf("%d\n", e);
    return show(make(87)) + make(88).get() - make(89).get() > 0 ? 0 : 1;
}

// out: +1 -1 | +2 -2 +3 +4 +5 | 5
// out: -5 -4 -3 +4 +4 -4 -4 = 8
// out: +6 (6) -6
// out: +1 +1 +2 -2 -1 -1
// out: +7 +8 +10 -10 -8 -7 yes
// out: 0 0
// out: +20 -20 +31 20 1
// out: -31 +21 +22 -22 -21 +32 43 0
// out: -32 +40 +41 kept 40 41
// out: +50 -50 . +61 -61 +51 -51 . +62 -62 +52 -52
// out: +6 -6 +4 -4 +3 -3 +4 -4
// out: +2 -2 two
// out: +70 +71 +141 141
// out: +80 +81 , -81 -80 +82 +83 -83 -82 83
// out: +84 -84 +85 -85 170
// out: +86 -86 87
// out: +87 (87) +88 +89 -89 -88 -87 -141 -71 -70 -41 -40
