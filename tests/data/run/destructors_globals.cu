// The host's variables outside functions end behind those of `main`, the last one first; g++ agrees.
#include <stdio.h>

// The first to begin is the last to end.
struct Line {
    ~Line() { printf("\n"); }
} line;

struct Noisy {
    int id;
    Noisy(int id) : id(id) {}
    ~Noisy() { printf("-%d ", id); }
};
struct Group {
    Noisy row[2];
    Noisy one;
    ~Group() { printf("~group "); }
};
Noisy first(1);
namespace inner { Noisy second(2); static Noisy third[3] = {Noisy(30), Noisy(31), Noisy(32)}; }
Group group = {{Noisy(40), Noisy(41)}, Noisy(42)};
struct Owner { static Noisy member; };
Noisy Owner::member(5);
template <class T> struct Last { T t; Last() : t(7) {} ~Last() { printf("last%d ", (int)t); } };
Last<short> last;

int main()
{
    Noisy local(100);
    first.id += 1000;
    inner::third[1].id++;
    return printf("main ") == 5 ? 0 : 1;
}

// out: main -100 last7 -5 ~group -42 -41 -40 -32 -32 -30 -2 -1001
