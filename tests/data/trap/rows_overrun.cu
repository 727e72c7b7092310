// A loop whose iterations run side by side stops at the one that stores past the end, with its place.
// status: 241
// err: out-of-bounds write of 4 bytes
// err: just past the end of the allocation of 400 bytes
// err: rows_overrun.cu:14
#include <stdio.h>
#include <stdlib.h>

int main()
{
    int *a = (int *)malloc(400);
    printf("before\n");
    for (int i = 0; i < 1000; i++)
        a[i] = i * 3;
    printf("after\n");
    return a[5];
}

// out: before
