// new and delete, of objects and of arrays.
#include <cstdio>

struct node {
    int value;
    node *next;
};
struct point { float x, y; };

node *push(node *list, int value)
{
    node *n = new node;
    n->value = value;
    n->next = list;
    return n;
}

int main()
{
    int *one = new int(42), *none = new int();
    double *two = new double[2];
    unsigned char *bytes = new unsigned char[10]();
    two[1] = 2.5;
    printf("%d %d %.1f %d\n", *one, *none, two[1], bytes[9]);
    node *list = NULL;
    for (int i = 0; i < 4; i++)
        list = push(list, i * i);
    while (list) {
        node *next = list->next;
        printf("%d ", list->value);
        delete list;
        list = next;
    }
    printf("\n");
    point *p = new point{1.5f, 2.5f};
    int rows = 3, columns = 4, sum = 0;
    int **grid = new int *[rows];
    for (int i = 0; i < rows; i++) {
        grid[i] = new int[columns];
        for (int j = 0; j < columns; j++)
            grid[i][j] = i * j;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            sum += grid[i][j];
        delete[] grid[i];
    }
    delete[] grid;
    printf("%.1f %d\n", p->x + p->y, sum);
    struct node *q = new struct node();
    printf("%d\n", q->value);
    delete q, delete p;
    delete one;
    delete none;
    delete[] two;
    delete [] bytes;
    node *nothing = NULL;
    delete nothing;
    return 0;
}

// out: 42 0 2.5 0
// out: 9 4 1 0
// out: 4.0 18
// out: 0
