// A mark of the byte order in front of the text is no part of it.
#include <stdio.h>

int main()
{
    printf("read\n");
    return 0;
}

// out: read
