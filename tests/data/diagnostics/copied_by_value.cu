// To pass the object would take a copy, which the constructor makes.
struct copied {
    int v;
    copied(int v) : v(v) {}
    copied(const copied &o) : v(o.v) {}
    copied(copied o, int more = 0) : v(o.v + more) {} //~ error
    copied(copied o, copied p) : v(o.v + p.v) {}
};

int main()
{
    copied a(1), b = a;
    return b.v;
}
