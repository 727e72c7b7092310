// A shell sees the low eight bits of main's value.
#include <stdio.h>

int main()
{
    printf("minus two\n");
    return -2;
}

// status: 254
// out: minus two
