// Parameters and results by value: each object ends once; g++ agrees where C++ leaves no choice.
#include <stdio.h>

// The first to begin is the last to end.
struct Line {
    ~Line() { printf("\n"); }
} line;

struct Noisy {
    int id;
    Noisy(int id) : id(id) { printf("+%d ", id); }
    Noisy(const Noisy &other) : id(other.id + 1) { printf("c%d ", id); }
    Noisy &operator=(const Noisy &other) { printf("%d=%d ", id, other.id); id = other.id; return *this; }
    ~Noisy() { printf("-%d ", id); id = -1; }
};

struct Counted {
    int n;
    ~Counted() { alive--; }
    static int alive;
};
int Counted::alive = 0;
Counted counted(int n) { Counted::alive++; Counted c = {n}; return c; }
int pass(Counted c) { return c.n; }
int pass2(Counted a, int k, Counted b) { return a.n * k + b.n; }

void take(Noisy a) { a.id += 10; }
Noisy give(int n) { Noisy local(n); local.id += 20; return local; }
Noisy through(Noisy a) { return a; }
Noisy pick(bool b) { return b ? Noisy(1) : Noisy(2); }
Noisy nested(int n)
{
    Noisy guard(900);
    if (n > 0) {
        Noisy inner(901);
        return nested(n - 1);
    }
    return Noisy(50);
}
struct Holder { Noisy inside; int more; };
Holder hold(int n) { Holder h = {Noisy(n), 2}; return h; }
void nothing(Noisy) {}

int main()
{
    Noisy a(100);
    take(a);
    printf("%d\n", a.id);
    take(Noisy(200));
    printf("\n");
    Noisy b = give(300);
    printf("%d\n", b.id);
    Noisy c = through(b);
    printf("%d\n", c.id);
    Noisy t = through(give(400));
    printf("%d\n", t.id);
    c = give(500);
    printf("%d\n", c.id);
    a = b = c;
    printf("%d %d\n", a.id, b.id);
    pick(true);
    Noisy d = pick(false);
    printf("%d\n", d.id);
    Noisy e = nested(2);
    printf("%d\n", e.id);
    Holder h = hold(600);
    printf("%d %d\n", h.inside.id, h.more);
    hold(700);
    printf("\n");
    nothing(a);
    nothing(7);
    printf("\n");
    Counted::alive++;
    Counted p = {4};
    Counted::alive++;
    int s = pass(p);
    s += pass(counted(5));
    Counted::alive++;
    s += pass2(counted(6), 2, p);
    Counted q = counted(8);
    printf("%d %d\n", s + q.n, Counted::alive);
}

// out: +100 c101 -111 100
// out: +200 -210
// out: +300 320
// out: c321 c322 -321 322
// out: +400 c421 -420 421
// out: +500 322=520 -520 520
// out: 320=520 100=520 520 520
// out: +1 -1 +2 2
// out: +900 +901 +900 +901 +900 +50 -900 -901 -900 -901 -900 50
// out: +600 600 2
// out: +700 -700
// out: c521 -521 +7 -7
// out: 33 2
// out: -600 -50 -2 -421 -520 -520 -520
