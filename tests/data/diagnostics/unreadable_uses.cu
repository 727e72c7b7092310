// Uses of names whose declarations cannot be read, each in a place of its own: others of the name are not taken for them.
// options: --needed program
#include <stdio.h>
#include <stdlib.h>

template <class T> int chosen(T x) { return 1; }
template <class T> int chosen(...) { return 2; }
int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int order(const void *a, ...) { return 0; }
struct wide {
    int (*call)(int);
};
enum kinds : std::unknown { one };
struct all_static {
    static int f(int) { return 1; }
    static int f(...) { return 2; }
};
template <class T> struct special {
    int f() { return 1; }
    static int g() { return 1; }
};
typedef special<int> of_int;
template <> int special<int>::f() { return 2; }
template <> int special<int>::g() { return 2; }

int main()
{
    int values[2] = {2, 1};
    printf("%d\n", chosen<int>(1)); //~ error
    qsort(values, 2, sizeof(int), order); //~ error
    struct wide *w = nullptr; //~ error
    enum kinds k = (enum kinds)0; //~ error
    printf("%d\n", all_static::f(1)); //~ error
    of_int s;
    printf("%d\n", s.f()); //~ error
    printf("%d\n", of_int::g()); //~ error
    printf("%d\n", special<float>::g()); //~ error
    return values[0];
}
