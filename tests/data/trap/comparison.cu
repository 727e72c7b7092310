// A fault in a function that qsort calls has its place, and that of the call.
// status: 241
// err: integer division by zero
// err: comparison.cu:12
// err: called from here
// models: reference
#include <stdio.h>
#include <stdlib.h>

int quotient(const void *a, const void *b)
{
    return *(const int *)a / *(const int *)b - 1;
}

int main()
{
    int numbers[] = {4, 2, 0};
    printf("sorting\n");
    qsort(numbers, 3, sizeof(int), quotient);
    return 0;
}

// out: sorting
