// status: 241
// err: free_inside.cu:8
// models: reference
#include <stdlib.h>

void release(int *a)
{
    free(a + 1);
}

int main()
{
    release((int *)malloc(40));
    return 0;
}
