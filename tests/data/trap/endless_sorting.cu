// status: 241
// err: comparisons that sort within comparisons, 16 deep
// models: reference
#include <stdlib.h>

int deeper(const void *a, const void *b)
{
    int numbers[] = {2, 1};
    qsort(numbers, 2, sizeof(int), deeper);
    return 0;
}

int main()
{
    return deeper(NULL, NULL);
}
