// -D gives a name a value, or 1; #ifndef supplies the default.
// defines: -D SIZE=12 -D FLAG
#include <stdio.h>

#ifndef SIZE
#define SIZE 3
#endif
#ifndef OTHER
#define OTHER 4
#endif

int main()
{
    printf("%d %d %d\n", SIZE, OTHER, FLAG);
    return 0;
}

// out: 12 4 1
