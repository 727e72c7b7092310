// status: 241
// err: delete of
// err: which is from new[]
// err: delete_mismatch.cu:12
// models: reference
#include <stdio.h>

int main()
{
    int *a = new int[4];
    printf("%d\n", a[3]);
    delete a;
    return 0;
}

// out: 0
