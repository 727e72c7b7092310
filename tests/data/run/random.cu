// rand and srand give glibc's numbers.
#include <stdio.h>
#include <stdlib.h>

int main()
{
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    printf("\n");
    srand(1);
    printf("%d\n", rand());
    srand(0);
    printf("%d %d\n", rand() == 1804289383, RAND_MAX == 2147483647);
    unsigned seeds[4] = {2, 42, 12345, 4294967295u};
    for (int s = 0; s < 4; s++) {
        srand(seeds[s]);
        int last = 0;
        for (int i = 0; i < 1000; i++)
            last = rand();
        int first = rand();
        printf("%u: %d %d\n", seeds[s], last, first);
    }
    srand(7);
    int buckets[6] = {0};
    for (int i = 0; i < 600; i++)
        buckets[rand() % 6]++;
    for (int i = 0; i < 6; i++)
        printf("%d ", buckets[i]);
    printf("\n");
    srand(2026);
    float sum = 0;
    for (int i = 0; i < 100; i++)
        sum += (float)rand() / RAND_MAX;
    printf("%.4f\n", sum);
    return 0;
}

// out: 1804289383 846930886 1681692777 1714636915 1957747793
// out: 1804289383
// out: 1 1
// out: 2: 2057566690 1682007530
// out: 42: 896784309 1963050744
// out: 12345: 121832119 1842355799
// out: 4294967295: 1892540048 1216673817
// out: 108 112 87 87 93 113
// out: 46.6582
