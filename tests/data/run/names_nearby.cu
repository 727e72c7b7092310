// The nearest declaration of a name is meant, be it a structure or a function.
#include <cstdio>

namespace far {
struct chosen {
    int v;
    chosen(int = 0) : v(5) {}
    operator int() const { return v; }
};
inline int made(int) { return 7; }
}
template <class T> int chosen(T) { return 70; }
struct made {
    int v;
    made(int = 0) : v(10) {}
    operator int() const { return v; }
};
// Names of `far` are in scope here.
namespace far::near {
inline int structure() { return chosen(11); }
}

int main()
{
    printf("%d %d\n", far::near::structure(), chosen(1));
    int outer = made(1);
    using far::made;
    printf("%d %d\n", outer, (int)made(1));
}

// out: 5 70
// out: 10 7
