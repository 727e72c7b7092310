// status: 241
// err: host_read_past_end.cu:11
// models: reference
#include <stdio.h>
#include <stdlib.h>

int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i <= n; i++)
        s += a[i];
    return s;
}

int main()
{
    int *a = (int *)malloc(100 * sizeof(int));
    printf("%d\n", sum(a, 10));
    printf("%d\n", sum(a, 100));
    return 0;
}

// out: 0
