// status: 241
// err: host_null.cu:13
// models: reference
#include <stdio.h>

struct node {
    int value;
    struct node *next;
};

int value(struct node *n)
{
    return n->next->value;
}

int main()
{
    struct node last = {1, NULL}, first = {2, &last};
    printf("%d\n", value(&first));
    printf("%d\n", value(&last));
    return 0;
}

// out: 1
