// Pointer increments, arithmetic, difference, comparison; arrays of arrays; pointers to pointers.
#include <stdio.h>
#include <stdlib.h>

int sum(const int *from, const int *to)
{
    int total = 0;
    while (from != to)
        total += *from++;
    return total;
}

void fill(int (*rows)[4], int count)
{
    for (int r = 0; r < count; r++)
        for (int c = 0; c < 4; c++)
            rows[r][c] = 10 * r + c;
}

int corner(int grid[][4], int r) { return grid[r][3]; }

void redirect(int **where, int *to) { *where = to; }

int main()
{
    int a[6] = {1, 2, 3, 4, 5, 6};
    int *p = a;
    printf("%d %d\n", *p++, 0);
    printf("%d\n", *p);
    printf("%d\n", *++p);
    printf("%d\n", ++*p);
    printf("%d\n", (*p)++);
    printf("%d\n", *p--);
    printf("%d\n", *p);
    printf("%d %d %d\n", p[1], p[-1], *(p + 2));
    printf("%d %d\n", 2[a], (p + 2)[-1]);
    int *q = &a[5];
    printf("%ld %ld\n", (long)(q - p), (long)(p - q));
    printf("%d %d %d %d\n", p < q, p == a + 1, q >= a, p != &a[1]);
    p += 3;
    printf("%d\n", *p);
    p -= 2;
    printf("%d\n", *p);
    p = q - 5;
    printf("%d %d\n", p == a, sum(a, a + 6));
    unsigned char offset = 255;
    p = a + 256 - offset;
    printf("%d\n", *p);
    long long far = 4;
    p = a + far;
    printf("%d\n", *p);
    p = a + 5 + -2;
    printf("%d\n", *p);

    double d[3] = {0.5, 1.5, 2.5};
    double *e = d + 2;
    printf("%g %d %d\n", *e, (int)(e - d), (int)((char *)e - (char *)d));
    short words[4] = {1, 2, 3, 4};
    unsigned char *bytes = (unsigned char *)words;
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[6]);

    int rows[3][4];
    fill(rows, 3);
    printf("%d %d %d\n", rows[2][1], *(*(rows + 1) + 2), corner(rows, 2));
    printf("%d %d %d\n", (int)sizeof rows, (int)sizeof rows[0], (int)sizeof rows[0][0]);
    printf("%d\n", (int)((char *)&rows[1] - (char *)&rows[0]));
    int (*row)[4] = rows + 1;
    printf("%d %d\n", (*row)[0], row[1][2]);
    int *flat = &rows[0][0];
    printf("%d\n", flat[2 * 4 + 3]);
    int cube[2][3][4] = {{{1, 2}, {3}}, {{4}, {5, 6, 7, 8}}};
    printf("%d %d %d %d %d\n", cube[0][0][1], cube[0][1][0], cube[1][1][3], cube[1][2][0], (int)sizeof cube);
    int partial[2][3] = {1, 2, 3, 4};
    printf("%d %d %d\n", partial[1][0], partial[1][1], partial[0][2]);

    int x = 1, y = 2;
    int *where = &x;
    redirect(&where, &y);
    printf("%d\n", *where);
    **&where = 5;
    printf("%d %d\n", x, y);
    int **table = (int **)malloc(3 * sizeof(int *));
    for (int i = 0; i < 3; i++) {
        table[i] = (int *)malloc((i + 1) * sizeof(int));
        for (int j = 0; j <= i; j++)
            table[i][j] = i * j;
    }
    printf("%d %d %d\n", table[2][2], table[1][1], *table[2]);
    for (int i = 0; i < 3; i++)
        free(table[i]);
    free(table);
    void *any = a;
    printf("%d %d\n", ((int *)any)[2], any == (void *)a);
    const char *text = "pointer";
    const char *end = text;
    while (*end)
        end++;
    while (end > text)
        putchar(*--end);
    putchar('\n');
    int *none = NULL;
    printf("%d %d\n", none == 0, !none);
    return 0;
}

// out: 1 0
// out: 2
// out: 3
// out: 4
// out: 4
// out: 5
// out: 2
// out: 5 1 4
// out: 5 5
// out: 4 -4
// out: 1 1 1 0
// out: 5
// out: 5
// out: 1 23
// out: 2
// out: 5
// out: 4
// out: 2.5 2 16
// out: 1 0 2 4
// out: 21 12 23
// out: 48 16 4
// out: 16
// out: 10 22
// out: 23
// out: 2 3 8 0 96
// out: 4 0 3
// out: 2
// out: 1 5
// out: 4 1 0
// out: 5 1
// out: retniop
// out: 1 1
