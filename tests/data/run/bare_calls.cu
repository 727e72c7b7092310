// Calls whose parentheses are followed by `&&`, `*` or `&`: not declarations, not template arguments.
#include <stdio.h>

#define N 3

int say(int value)
{
    printf("%d ", value);
    return value;
}

int two() { return 2; }

int product = (two() * N);

int main()
{
    say(1) && say(2);
    say(0) && say(4);
    say(5) & say(6);
    if (say(7) * product)
        return (printf("%d\n", product) & 0);
    return 1;
}

// out: 1 2 0 5 6 7 6
