// status: 241
// err: fclose of a stream that is not open
// err: closed_twice.cu:12
// models: reference
#include <stdio.h>

int main()
{
    FILE *f = fopen("a.txt", "w");
    printf("%d\n", f != NULL);
    fclose(f);
    fclose(f);
    return 0;
}

// out: 1
