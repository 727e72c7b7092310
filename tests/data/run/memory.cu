// malloc, calloc, realloc, free, memset, memcpy, memmove, memcmp.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    int value;
    struct list *next;
};

int main()
{
    int *a = (int *)malloc(10 * sizeof(int));
    for (int i = 0; i < 10; i++)
        a[i] = i * i;
    int *b = (int *)calloc(10, sizeof(int));
    printf("%d %d\n", b[0], b[9]);
    memcpy(b, a, 5 * sizeof *a);
    printf("%d %d %d\n", b[4], b[5], memcmp(a, b, 20));
    memmove(a + 2, a, 6 * sizeof(int));
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    memmove(a, a + 1, 9 * sizeof(int));
    printf("%d %d\n", a[0], a[8]);
    memset(a, 0xFF, 4);
    memset(a + 1, 1, 4);
    printf("%d %d\n", a[0], a[1]);
    a = (int *)realloc(a, 1000 * sizeof(int));
    a[999] = 5;
    printf("%d %d\n", a[2], a[999]);
    free(a);
    free(b);
    free(NULL);
    struct list *head = NULL;
    for (int i = 0; i < 5; i++) {
        struct list *node = (struct list *)malloc(sizeof(struct list));
        node->value = i;
        node->next = head;
        head = node;
    }
    while (head) {
        struct list *next = head->next;
        printf("%d ", head->value);
        free(head);
        head = next;
    }
    printf("\n");
    char *text = (char *)malloc(16);
    memset(text, 'x', 15);
    text[15] = 0;
    memcpy(text + 3, "abc", 3);
    printf("%s %d\n", text, (int)strlen(text));
    printf("%d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("abc", "abd", 2));
    free(text);
    for (int i = 0; i < 1000; i++) {
        char *block = (char *)malloc(100000);
        block[0] = block[99999] = (char)i;
        free(block);
    }
    double *d = (double *)malloc(3 * sizeof(double));
    d[2] = 2.5;
    char bytes[8];
    memcpy(bytes, &d[2], 8);
    printf("%d %d\n", bytes[7], bytes[6]);
    free(d);
    return 0;
}

// out: 0 0
// out: 16 0 0
// out: 0 1 0 1 4 9 16 25 64 81
// out: 1 81
// out: -1 16843009
// out: 1 5
// out: 4 3 2 1 0
// out: xxxabcxxxxxxxxx 15
// out: 1 0
// out: 64 4
