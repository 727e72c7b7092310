// The numbers of glibc's other generators.
#include <stdio.h>
#include <stdlib.h>

int main()
{
    unsigned seed = 7;
    for (int i = 0; i < 4; i++)
        printf("%d ", rand_r(&seed));
    printf("%u\n", seed);
    printf("%.14f ", drand48());
    printf("%.12f\n", drand48());
    srand48(42);
    printf("%.12f ", drand48());
    printf("%ld ", lrand48());
    printf("%ld\n", mrand48());
    srandom(5);
    printf("%ld ", random());
    printf("%d\n", rand());
    return 0;
}

// out: 1187592820 153898277 1377876785 706688787 3809678875
// out: 0.00000000000004 0.000985394675
// out: 0.744525000061 735945821 477107655
// out: 590011675 99788765
