// Copies, as a structure says or member by member; g++ agrees.
#include <stdio.h>
// adversarial: things that must be errors or right
struct S { int a; S(int a) : a(a) {} S(const S &o) : a(o.a + 100) {} };
int take(S s) { return s.a; }
struct T { int *p; T() { p = new int[3]; } };
struct M { int v; M() : v(1) {} M &operator=(const M &o) { v = o.v + 10; return *this; } };
struct W { int k; };
struct P { int x; const P *self() const { return this; } P() { x = 3; me = 0; this->x++; (*this).x++; } P *me; };
template <class T> T sq(T x) { return x * x; }
template <class T> struct D { T a; D(T a = T()) : a(a) {} template <class U> D(const D<U> &o) : a((T)o.a) {} };
int main()
{
    S a(1); S b = a; S c(a); printf("%d %d %d\n", b.a, c.a, take(a));
    M m, n; n.v = 5; m = n; printf("%d\n", m.v);
    W w, z; z.k = 7; w = z; printf("%d\n", w.k);
    P p; printf("%d\n", p.me == &p);
    D<int> d(3); D<double> e(d); printf("%g\n", e.a);
    int arr[3] = {1, 2, 3}; int (&ra)[3] = arr; printf("%d\n", ra[1]);
    const int &t = sq(5); printf("%d\n", t);
    S *s = new S(4); printf("%d\n", s->a); delete s;
}

// out: 101 101 101
// out: 15
// out: 7
// out: 0
// out: 3
// out: 2
// out: 25
// out: 4
