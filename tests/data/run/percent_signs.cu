// A percent sign that no letter follows is text.
#include <stdio.h>

int main()
{
    printf("%5.2f s, %5.1f % : setup\n", 0.25, 12.5);
    printf("%d%, 50% (%d)\n", 5, 6);
    return 0;
}

// out:  0.25 s,  12.5 % : setup
// out: 5%, 50% (6)
