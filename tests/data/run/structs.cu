// Structures by value: nested, holding arrays, assigned, passed, returned; unions; pointers to them.
#include <stdio.h>
#include <stddef.h>

struct point {
    int x, y;
};

typedef struct {
    struct point corner[2];
    char name[6];
    double weight;
} box;

struct node {
    int value;
    struct node *next;
};

union word {
    unsigned whole;
    unsigned char bytes[4];
    float number;
};

struct outer {
    char tag;
    union {
        int i;
        float f;
    } value;
    struct {
        short a;
        long long b;
    } inner;
};

struct point make(int x, int y)
{
    struct point p = {x, y};
    return p;
}

struct point add(struct point a, struct point b)
{
    a.x += b.x;
    a.y += b.y;
    return a;
}

box grow(box b, int by)
{
    b.corner[1].x += by;
    b.corner[1].y += by;
    b.weight *= 2;
    b.name[0]++;
    return b;
}

int area(const box *b)
{
    return (b->corner[1].x - b->corner[0].x) * (b->corner[1].y - b->corner[0].y);
}

int main()
{
    struct point p = make(3, 4), q;
    q = p;
    q.x = 10;
    printf("%d %d %d %d\n", p.x, p.y, q.x, q.y);
    p = add(p, q);
    printf("%d %d\n", p.x, p.y);
    printf("%d %d\n", add(make(1, 2), make(3, 4)).y, make(7, 8).x);

    box b = {{{0, 0}, {2, 3}}, "box", 1.5};
    box c = grow(b, 1);
    printf("%s %d %g\n", b.name, area(&b), b.weight);
    printf("%s %d %g\n", c.name, area(&c), c.weight);
    b = c;
    c.corner[1] = make(100, 100);
    printf("%d %d\n", area(&b), area(&c));
    box boxes[3] = {b, c};
    boxes[2] = boxes[1];
    boxes[2].corner[0].x = 99;
    printf("%d %d %d\n", area(boxes), area(boxes + 1), area(&boxes[2]));
    box *at = boxes;
    at++;
    at->corner[0].y = 50;
    printf("%d %d %d\n", area(at), (*at).corner[0].y, (int)(at - boxes));

    struct node third = {3, NULL}, second = {2, &third}, first = {1, &second};
    int sum = 0;
    for (struct node *n = &first; n; n = n->next)
        sum = sum * 10 + n->value;
    printf("%d %d\n", sum, first.next->next->value);

    union word w;
    w.whole = 0x01020304;
    printf("%d %d\n", w.bytes[0], w.bytes[3]);
    w.number = 1.0f;
    printf("%08x\n", w.whole);
    w.bytes[3] = 0x40;
    w.bytes[2] = 0x49;
    printf("%.4f\n", w.number);

    struct outer o = {'t', {5}, {6, 7}};
    o.value.f = 2.0f;
    printf("%c %x %d %lld\n", o.tag, o.value.i, o.inner.a, o.inner.b);
    printf("%d %d %d %d %d\n", (int)sizeof(struct point), (int)sizeof(box), (int)sizeof(struct node),
           (int)sizeof(union word), (int)sizeof(struct outer));
    printf("%d %d\n", (int)((char *)&o.inner - (char *)&o), (int)((char *)&b.weight - (char *)&b));
    struct point zero = {};
    struct point half = {1};
    printf("%d %d %d\n", zero.x, half.x, half.y);
    struct point choice = sum > 100 ? p : q;
    printf("%d\n", (sum < 100 ? p : q).x + choice.x);
    return 0;
}

// out: 3 4 10 4
// out: 13 8
// out: 6 7
// out: box 6 1.5
// out: cox 12 3
// out: 12 10000
// out: 12 10000 100
// out: 5000 50 1
// out: 123 3
// out: 4 1
// out: 3f800000
// out: 3.1406
// out: t 40000000 6 7
// out: 8 32 16 4 24
// out: 8 24
// out: 0 1 0
// out: 23
