// qsort and bsearch, with comparisons of the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char name[8];
    int key;
    double weight;
};

static int calls = 0;

int ascending(const void *a, const void *b)
{
    calls++;
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int descending(const void *a, const void *b) { return ascending(b, a); }

int by_key(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// A comparison that sorts: how many different digits each number has.
int digits(int n)
{
    int d[10], count = 0, different = 0;
    for (; n; n /= 10)
        d[count++] = n % 10;
    qsort(d, count, sizeof d[0], ascending);
    for (int i = 0; i < count; i++)
        different += i == 0 || d[i] != d[i - 1];
    return different;
}

int by_digits(const void *a, const void *b)
{
    return digits(*(const int *)a) - digits(*(const int *)b);
}

int main()
{
    int a[10], unsorted[] = {5, 3, 9, -1, 7, 3, 0, 100, -50, 8};
    memcpy(a, unsorted, sizeof a);
    qsort(a, 10, sizeof(int), ascending);
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    int wanted = 9, missing = 4;
    int *found = (int *)bsearch(&wanted, a, 10, sizeof(int), ascending);
    printf("%d %d\n", (int)(found - a), bsearch(&missing, a, 10, sizeof(int), &ascending) == NULL);
    qsort(a, 10, sizeof(int), &descending);
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");

    struct item items[] = {{"c", 2, .5}, {"a", 1, 1.5}, {"d", 2, 2.5}, {"b", 1, 3.5}, {"e", 0, 4.5}};
    qsort(items, sizeof items / sizeof items[0], sizeof(struct item), by_key);
    for (int i = 0; i < 5; i++)
        printf("%s%d %.1f ", items[i].name, items[i].key, items[i].weight);
    printf("\n");
    const char *words[] = {"pear", "apple", "fig", "banana"};
    qsort(words, 4, sizeof(char *), by_text);
    for (int i = 0; i < 4; i++)
        printf("%s ", words[i]);
    printf("\n");
    int numbers[] = {1231, 1111, 54321, 22, 9, 1212};
    qsort(numbers, 6, sizeof(int), by_digits);
    for (int i = 0; i < 6; i++)
        printf("%d ", numbers[i]);
    printf("\n%d\n", calls > 50);
    qsort(numbers, 0, sizeof(int), ascending);
    return 0;
}

// out: -50 -1 0 3 3 5 7 8 9 100
// out: 8 1
// out: 100 9 8 7 5 3 3 0 -1 -50
// out: e0 4.5 a1 1.5 b1 3.5 c2 0.5 d2 2.5
// out: apple banana fig pear
// out: 1111 22 9 1212 1231 54321
// out: 1
