#include <stdio.h>

int main()
{
    int n = 1;
    printf("%s\n", 5); //~ error
    printf("%d %d\n", n); //~ error
    printf("%f\n", 1.5f);
    printf("%d\n", n, n);
    printf("%y\n", n); //~ error
    return 0;
}

__global__ void many(int n)
{
    printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", n, n, n, n,
           n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
    printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", //~ error: at most 32
           n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
}
