// Initialisers of variables outside functions run although something that nothing needs is left out.
#include <cstdio>

struct unneeded {
    int &member;
};
int three() { return 3; }
struct object {
    int v;
    object(int n) : v(n) {}
    ~object() { printf("end of %d\n", v); }
};
static object first(5);
static int second = three() + 1;

int main()
{
    printf("%d %d\n", first.v, second);
    while (object(1).v != 1) {}
    switch (object(2).v) {
    case 2: printf("two\n");
    }
}

// options: --needed program
// out: 5 4
// out: end of 1
// out: end of 2
// out: two
// out: end of 5
