// The preprocessor: object and function macros, nesting, # and ##, conditions, defaults.
#include <stdio.h>

#define N 10
#define TWICE_N (2 * N)
#define SQUARE(x) ((x) * (x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define EMPTY
#define STRING(x) #x
#define EXPAND(x) STRING(x)
#define GLUE(a, b) a##b
#define GLUE_EXPANDED(a, b) GLUE(a, b)
#define SWAP(type, a, b)                                                       \
    do {                                                                       \
        type swap_t = a;                                                       \
        a = b;                                                                 \
        b = swap_t;                                                            \
    } while (0)
#define FUNCTION(name, op)                                                     \
    int name(int a, int b) { return a op b; }
#define ZERO() 0
#define APPLY(f, x) f(x)
#define FIRST(a, ...) a
#define SHOW(format, ...) printf(format, __VA_ARGS__)

FUNCTION(plus, +)
FUNCTION(times, *)

#ifndef SIZE
#define SIZE 3
#endif

#if SIZE < 2
#define KIND "small"
#elif SIZE == 3
#define KIND "three"
#elif SIZE > 2
#define KIND "large"
#else
#error "not reached"
#endif

#if defined(N) && !defined(UNKNOWN) && N * 2 == 0x14 && (1 ? 2 : 3) == 2
#define CONDITION 1
#else
#define CONDITION 0
#endif

#if UNKNOWN
#error "unknown names count as zero"
#endif

#if 0
this is not C at all: ' unbalanced "
#if 1
nested
#else
more
#endif
#endif

#if defined __NVCC__ && !defined __CUDACC__
#error "not CUDA"
#endif

#define REMOVED 1
#undef REMOVED
#define LONG_LIST 1, \
    2, \
    3

int GLUE(var, 1) = 11;
int GLUE_EXPANDED(var, N) = 12;

int main()
{
    int SELF_VALUE = 1;
    printf("%d %d %d\n", N, TWICE_N, TWICE_N / N);
    printf("%d %d\n", SQUARE(3 + 1), MAX(SQUARE(2), 3));
    printf("%s|%s|%s|%s\n", STRING(N), EXPAND(N), STRING(a + "b\n" 'c'), STRING(  two   spaces  ));
    printf("%d %d %d\n", var1, var10, GLUE(1, 2) + GLUE(0x, F));
    int a = 1, b = 2;
    SWAP(int, a, b);
    if (a > b)
        SWAP(int, a, b);
    else
        a = 0;
    printf("%d %d\n", a, b);
    printf("%d %d\n", plus(3, 4), times(3, 4));
    printf("%s %d %d\n", KIND, SIZE, CONDITION);
#ifdef REMOVED
    printf("removed\n");
#endif
    int list[] = {LONG_LIST};
    printf("%d %d\n", (int)(sizeof list / sizeof list[0]), ZERO());
    printf("%d\n", APPLY(SQUARE, 5) EMPTY);
    printf("%d\n", MAX((a, b), FIRST(1, 2, 3)));
    SHOW("%d-%d\n", 1, 2);
    printf("%d %d\n", __LINE__, (int)sizeof(__FILE__) > 1);
    int SQUARE = 4;
    printf("%d %d\n", SQUARE, SQUARE(SQUARE));
    printf("%d\n", APPLY(ZERO, ) /* comment // with line comment */ + 1); // comment /* open
    printf("%s\n", "/* not a comment */ // nor this");
    printf("%d\n", MAX(
        1,
        2
    ));
    int spl\
it = 9;
    printf("%d\n", split);
    printf("%d\n", (SELF_VALUE + N)  - -SIZE);
    return 0;
}

// out: 10 20 2
// out: 16 4
// out: N|10|a + "b\n" 'c'|two spaces
// out: 11 12 27
// out: 1 2
// out: 7 12
// out: three 3 1
// out: 3 0
// out: 25
// out: 2
// out: 1-2
// out: 99 1
// out: 4 16
// out: 1
// out: /* not a comment */ // nor this
// out: 2
// out: 9
// out: 14
