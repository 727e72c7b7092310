// Copying and moving go one way each: a default beside the other of one's own would not be called.

struct moved {
    int v;
    moved(int v) : v(v) {}
    moved(const moved &o) : v(o.v + 100) {}
    moved(moved &&) = default; //~ error
};

template <class T> struct assigned {
    T v;
    assigned &operator=(const assigned &o) { v = o.v + 1; return *this; }
    assigned &operator=(assigned<T> &&) noexcept = default; //~ error
};

// All of it is as it would be without a word, or takes something else.
struct plain {
    int v;
    plain() = default;
    plain(int v) : v(v) {}
    plain(const plain &) = default;
    plain(plain &&) = default;
    plain &operator=(const plain &) = default;
    plain &operator=(int w) { v = w; return *this; }
};

int main()
{
    plain p(1), q = p;
    q = 5;
    p = q;
    moved m(p.v);
    return m.v;
}
