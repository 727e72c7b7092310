// Results that C++ lets a compiler copy as bytes are made where the caller wants them if they are large; g++ does so
// without optimisation.
// cc: no
#include <stdio.h>

struct Self {
    Self *p;
    int v;
    char pad[16];
    Self(int v) : v(v) { init(); }
    void init() { p = this; }
    bool ok() const { return p == this; }
};

Self make(int v) { return Self(v); }
Self again(int v) { return make(v + 1); }
Self named(int v)
{
    Self s(v);
    s.v++;
    return s;
}

int main()
{
    Self a = make(2), b = again(3), c = named(3);
    printf("%d %d %d %d %d\n", a.ok(), b.ok(), b.v, c.ok(), c.v);
    return 0;
}

// out: 1 1 4 1 4
