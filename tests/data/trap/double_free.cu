// status: 241
// err: double_free.cu:13
// models: reference
#include <stdio.h>
#include <stdlib.h>

int main()
{
    int *a = (int *)malloc(40), *b = (int *)malloc(40);
    printf("%d\n", a != b);
    free(a);
    free(b);
    free(a);
    return 0;
}

// out: 1
