// exit ends the program from anywhere; what was printed before is there.
#include <stdio.h>
#include <stdlib.h>

int depth(int n)
{
    if (n == 0) {
        printf("leaving");
        printf("\n");
        exit(3);
    }
    return depth(n - 1) + 1;
}

int main()
{
    printf("before\n");
    printf("%d\n", depth(10));
    return 0;
}

// status: 3
// out: before
// out: leaving
