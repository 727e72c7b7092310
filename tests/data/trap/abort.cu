// status: 134
// models: reference
#include <stdio.h>
#include <stdlib.h>

int main()
{
    printf("before\n");
    abort();
    printf("after\n");
    return 0;
}

// out: before
