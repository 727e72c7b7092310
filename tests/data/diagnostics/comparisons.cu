#include <stdio.h>
#include <stdlib.h>

int good(const void *a, const void *b) { return 0; }
int typed(const int *a, const int *b) { return *a - *b; }
float inexact(const void *a, const void *b) { return 0; }
int single(const void *a) { return 0; }

int main()
{
    int a[4] = {}, key = 0;
    qsort(a, 4, sizeof(int), good);
    qsort(a, 4, sizeof(int), typed); //~ error
    qsort(a, 4, sizeof(int), inexact); //~ error
    qsort(a, 4, sizeof(int), single); //~ error
    qsort(a, 4, sizeof(int), a); //~ error
    qsort(a, 4, sizeof(int), 0); //~ error
    int *p = (int *)bsearch(&key, a, 4, sizeof(int), &good);
    auto f = good; //~ error
    return p != 0;
}
