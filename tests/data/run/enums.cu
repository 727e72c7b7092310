// Enumerations, typedefs, static locals, global initialisers.
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 10 };
typedef enum { OFF, ON } toggle;
typedef unsigned int uint;
typedef int row[3];
typedef struct pair {
    uint a;
    toggle t;
} pair;
typedef pair *pair_pointer;

enum { SIZE = 4, MASK = (1 << SIZE) - 1, NEGATIVE = -3, AFTER };

int zeroed;
int given = 6 * 7;
int table[SIZE] = {1, MASK, NEGATIVE};
int implied[] = {1, 2, 3, 4, 5};
const int limit = SIZE * 2;
int bounded[limit];
row rows[2] = {{1, 2, 3}, {4}};
pair pairs[2] = {{1u, ON}, {2u}};
float scale = 1 / 2.0f;
double ratio = 1 / 3;
unsigned char wrapped = 300 - 45;
const char *greeting = "hello";
char letters[] = "abc";
int *inside = &table[2];
int *beyond = implied + 4;
pair_pointer second = &pairs[1];
static long long hidden = -1LL << 33;
unsigned long long top = ~0ULL;
bool flag = 3;

int counter()
{
    static int count = 100;
    static int steps[2];
    steps[count & 1]++;
    return count++ + steps[0] * 1000;
}

int other()
{
    static int count;
    return ++count;
}

int shadow(int x)
{
    int given = x;
    {
        int given = 1;
        x += given;
        for (int given = 5; given < 6; given++)
            x += given;
    }
    return given * 1000 + x;
}

int main()
{
    enum color c = BLUE;
    toggle t = ON;
    printf("%d %d %d %d %d %d\n", RED, GREEN, c, LAST, t, AFTER);
    printf("%d %d %d\n", (int)sizeof(enum color), (int)sizeof(toggle), MASK);
    printf("%d %d %d %d %d %d\n", zeroed, given, table[0], table[1], table[2], table[3]);
    printf("%d %d %d\n", (int)(sizeof implied / sizeof *implied), (int)sizeof bounded, bounded[7]);
    printf("%d %d %d\n", rows[0][2], rows[1][0], rows[1][1]);
    printf("%d %d %u\n", pairs[0].t, pairs[1].t, second->a);
    printf("%g %g %d %d\n", scale, ratio, wrapped, flag);
    printf("%s %s %d %d\n", greeting, letters, *inside, *beyond);
    printf("%lld %llx\n", hidden, top);
    for (int i = 0; i < 3; i++)
        printf("%d ", counter());
    printf("%d %d\n", other(), given);
    printf("%d\n", other());
    printf("%d %d\n", shadow(7), given);
    switch (c) {
    case RED:
        printf("red\n");
        break;
    case BLUE:
        printf("blue\n");
        break;
    default:
        printf("other\n");
    }
    c = (enum color)(c - 1);
    printf("%d\n", c == GREEN);
    greeting = letters;
    letters[0] = 'X';
    printf("%s\n", greeting);
    return 0;
}

// out: 0 5 6 16 1 -2
// out: 4 4 15
// out: 0 42 1 15 -3 0
// out: 5 32 0
// out: 3 4 0
// out: 1 0 2
// out: 0.5 0 255 1
// out: hello abc -3 5
// out: -8589934592 ffffffffffffffff
// out: 1100 1101 2102 1 42
// out: 2
// out: 7013 42
// out: blue
// out: 1
// out: Xbc
