// sizeof of every type: LP64.
#include <stdio.h>
#include <stdint.h>

struct empty_tail {
    long long a;
    char b;
};
struct mixed {
    char a;
    short b;
    char c;
    int d;
    char e;
    double f;
    char g[3];
};
struct pointers {
    char c;
    int *p;
    struct mixed *q;
};
union any {
    char c[9];
    int i;
    double d;
};

int side_effects;
int effect() { return ++side_effects; }

int main()
{
    printf("%zu %zu %zu %zu %zu\n", sizeof(char), sizeof(signed char), sizeof(unsigned char), sizeof(short), sizeof(unsigned short));
    printf("%zu %zu %zu %zu\n", sizeof(int), sizeof(unsigned), sizeof(long), sizeof(unsigned long));
    printf("%zu %zu %zu %zu\n", sizeof(long long), sizeof(unsigned long long), sizeof(float), sizeof(double));
    printf("%zu %zu %zu %zu\n", sizeof(bool), sizeof(int *), sizeof(void *), sizeof(size_t));
    printf("%zu %zu %zu %zu\n", sizeof(long int), sizeof(short int), sizeof(unsigned char *), sizeof(char **));
    printf("%zu %zu %zu %zu\n", sizeof(int8_t), sizeof(uint16_t), sizeof(int32_t), sizeof(uint64_t));
    printf("%zu %zu %zu %zu\n", sizeof(struct empty_tail), sizeof(struct mixed), sizeof(struct pointers), sizeof(union any));
    char c = 1;
    short s = 1;
    float f = 1;
    printf("%zu %zu %zu %zu\n", sizeof c, sizeof(c + c), sizeof(+c), sizeof(c++));
    printf("%d\n", c);
    printf("%zu %zu %zu %zu\n", sizeof(s * 1L), sizeof(f * 1), sizeof(f * 1.0), sizeof(1.0f));
    printf("%zu %zu %zu %zu\n", sizeof(1), sizeof(1u), sizeof(1LL), sizeof(3000000000));
    printf("%zu %zu %zu\n", sizeof(0xFFFFFFFF), sizeof('a'), sizeof("four"));
    int a[5][7];
    int *p = a[0];
    printf("%zu %zu %zu %zu %zu\n", sizeof a, sizeof a[0], sizeof a[0][0], sizeof p, sizeof *p);
    printf("%zu %zu\n", sizeof(int[10]), sizeof(char[2][3]));
    printf("%zu %d\n", sizeof(effect()), side_effects);
    printf("%zu %zu\n", sizeof(c == s), sizeof(c ? c : s));
    printf("%zu\n", sizeof(struct mixed[4]) / sizeof(struct mixed));
    printf("%d\n", (int)sizeof(int) * -1);
    printf("%zu\n", sizeof(p - p));
    return 0;
}

// out: 1 1 1 2 2
// out: 4 4 8 8
// out: 8 8 4 8
// out: 1 8 8 8
// out: 8 2 8 8
// out: 1 2 4 8
// out: 16 32 24 16
// out: 1 4 4 1
// out: 1
// out: 8 4 8 4
// out: 4 4 8 8
// out: 4 1 5
// out: 140 28 4 8 4
// out: 40 6
// out: 4 0
// out: 1 4
// out: 4
// out: -4
// out: 8
