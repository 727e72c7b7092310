// A loop whose iterations run side by side stops at the one that divides by zero.
// status: 241
// err: integer division by zero
// err: rows_division.cu:14
#include <stdio.h>

int main()
{
    static int by[300];
    for (int i = 0; i < 300; i++)
        by[i] = 250 - i;
    int sum = 0;
    for (int i = 0; i < 300; i++)
        sum += 1000 / by[i];
    printf("%d\n", sum);
    return 0;
}
