// Host memory at multiples of larger powers of two.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>

int main()
{
    void *first = NULL, *second = NULL;
    char *between = (char *)malloc(10);
    int good = posix_memalign(&first, 4096, 100) == 0 && posix_memalign(&second, 32, 5000) == 0;
    printf("%d %d %d\n", good, (int)((size_t)first % 4096), (int)((size_t)second % 32));
    for (int i = 0; i < 100; i++)
        ((char *)first)[i] = i;
    between[9] = 1;
    printf("%d\n", ((char *)first)[99]);
    printf("%d %d\n", posix_memalign(&second, 24, 8) == EINVAL, posix_memalign(&second, 64, (size_t)1 << 40) == ENOMEM);
    float *vector = (float *)aligned_alloc(256, 64);
    printf("%d %g\n", (int)((size_t)vector % 256), vector[15]);
    free(vector);
    free(second);
    free(first);
    free(between);
}
// out: 1 0 0
// out: 99
// out: 1 1
// out: 0 0
