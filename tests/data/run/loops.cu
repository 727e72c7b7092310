// for, while and do with break and continue in every place.
#include <stdio.h>

int main()
{
    int i, sum = 0;
    for (i = 0; i < 10; i++) {
        if (i == 3)
            continue;
        if (i == 7)
            break;
        sum += i;
    }
    printf("%d %d\n", i, sum);
    i = 0;
    while (1) {
        if (++i % 2)
            continue;
        if (i > 10)
            break;
        printf("%d ", i);
    }
    printf("\n");
    i = 10;
    do {
        if (i == 7)
            continue;
        printf("%d ", i);
    } while (--i > 5);
    printf("\n");
    do
        i++;
    while (0);
    printf("%d\n", i);
    for (;;) {
        if (i++ > 8)
            break;
    }
    printf("%d\n", i);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            if (b > a)
                break;
            if (a == 1 && b == 0)
                continue;
            printf("%d%d ", a, b);
        }
    printf("\n");
    int found = -1;
    for (int a = 2; a < 50 && found < 0; a++) {
        bool prime = true;
        for (int d = 2; d * d <= a; d++)
            if (a % d == 0) {
                prime = false;
                break;
            }
        if (prime && a > 30)
            found = a;
    }
    printf("%d\n", found);
    int n = 27, steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    printf("%d\n", steps);
    for (unsigned char c = 250; c >= 250; c++)
        printf("%d ", c);
    printf("\n");
    for (float x = 0; x < 1; x += 0.25f)
        printf("%g ", x);
    printf("\n");
    while (n < 100)
        n *= 2;
    printf("%d\n", n);
    for (int j = 0, k = 5; j < k; ++j, --k)
        ;
    if (n > 5)
        if (n > 1000)
            printf("big\n");
        else
            printf("dangling else\n");
    for (int r = 0; r < 3; r++) {
        int fresh = 1;
        fresh += r;
        printf("%d ", fresh);
    }
    printf("\n");
    return 0;
}

// out: 7 18
// out: 2 4 6 8 10
// out: 10 9 8 6
// out: 6
// out: 10
// out: 00 11 20 21 22
// out: 31
// out: 111
// out: 250 251 252 253 254 255
// out: 0 0.25 0.5 0.75
// out: 128
// out: dangling else
// out: 1 2 3
