// What random programs of plain C have found.
#include <stdio.h>

#define TEXT(x) #x
#define EXPANDED(x) TEXT(x)
#define PAIR(a, b) [a|b]
#define FIRST(a, b) a##b - b

int main()
{
    // Behind `?` a colon begins no statement.
    long a = 5, b = 2, c = 3;
    a ^= sizeof(a + b) ? 7u : b * c;
    if (a < (b ? c : b * c))
        printf("%ld\n", a);
    // The spaces in a string are those where an argument is put, not those of the argument.
    puts(EXPANDED((PAIR(, y))));
    puts(EXPANDED(PAIR( x,  y )+1));
    puts(EXPANDED(FIRST( p, q)));
    // The side of `?:` that is not chosen makes the result unsigned too.
#if (1 ? -1 : 0u) > 0
    puts("unsigned");
#endif
#if (1 ? 2 : 1 / 0) == 2
    puts("not divided");
#endif
    return 0;
}

// out: 2
// out: ([|y])
// out: [x|y]+1
// out: pq - q
// out: unsigned
// out: not divided
