// sscanf, strtol and their kin, strtok and the other functions on sets of characters.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main()
{
    int a = -1, b = -1, c = -1, r;
    long number;
    double real;
    unsigned u = 0;
    long l = 0;
    short s = 0;
    signed char h = 0;
    unsigned long long q = 0;
    float f = 0;
    double d = 0;
    char w[32], k[32], one;
    r = sscanf("12 -34", "%d%d", &a, &b);
    printf("%d %d %d\n", r, a, b);
    r = sscanf("0x1F 010", "%i %i", &a, &b);
    printf("%d %d\n", r, a * 100 + b);
    r = sscanf("-1 ff", "%u %x", &u, &c);
    printf("%d %u %x\n", r, u, c);
    r = sscanf("123456789012 70000 300 18446744073709551615", "%ld %hd %hhd %llu", &l, &s, &h, &q);
    printf("%d %ld %d %d %llu\n", r, l, s, h, q);
    r = sscanf("1.5e2 -.25", "%f %lf", &f, &d);
    printf("%d %g %g\n", r, f, d);
    r = sscanf("key = some value;", "%[a-z] = %[^;]", k, w);
    printf("%d %s %s\n", r, k, w);
    r = sscanf("xyz rest", "%c%*c%c %s", &one, k, w);
    printf("%d %c %s\n", r, one, w);
    int used = 0;
    r = sscanf("  42abc", "%d%n", &a, &used);
    printf("%d %d\n", r, used);
    printf("%d\n", sscanf("abc", "%d", &a));
    printf("%d\n", sscanf("", "%d", &a));
    printf("%d\n", sscanf("5 five", "%d %d", &a, &b));
    r = sscanf("123456", "%3d%2d", &a, &b);
    printf("%d %d %d\n", r, a, b);
    r = sscanf("50%", "%d%%", &a);
    printf("%d %d\n", r, a);
    r = sscanf("longword", "%4s", w);
    printf("%d %s\n", r, w);
    r = sscanf("1e1 0x10 inf", "%lf %lf", &d, &d);
    printf("%d %g %g %g\n", r, d, f, d);

    char *end;
    number = strtol("  -77rest", &end, 10);
    printf("%ld %s\n", number, end);
    number = strtol("0xff", NULL, 16);
    printf("%ld %ld %ld\n", number, strtol("077", NULL, 0), strtol("zz", 0, 36));
    errno = 0;
    printf("%ld ", strtol("99999999999999999999", NULL, 10));
    printf("%d\n", errno == ERANGE);
    printf("%lu %lu\n", strtoul("-1", NULL, 10), strtoul("4294967296", NULL, 10));
    real = strtod("3.25e1xyz", &end);
    printf("%g %s\n", real, end);
    real = strtod("none", &end);
    printf("%g %d\n", real, *end);
    printf("%.9g\n", strtof("0.1", NULL));

    char text[] = " one, two;three ,,four";
    int n = 0;
    for (char *t = strtok(text, " ,;"); t != NULL; t = strtok(NULL, " ,;"))
        printf("%d:%s ", n++, t);
    printf("\n");
    char *copy = strdup("Hello, World");
    printf("%s %zu %zu %s\n", copy, strspn(copy, "Hel"), strcspn(copy, "o,"), strpbrk(copy, "dW"));
    printf("%d %d %d\n", strcasecmp(copy, "HELLO, world"), strncasecmp(copy, "help", 3),
        strcasecmp("a", "B") < 0);
    printf("%d %d\n", (int)((char *)memchr(copy, 'o', 12) - copy), memchr(copy, 'z', 12) == NULL);
    free(copy);
    return 0;
}

// out: 2 12 -34
// out: 2 3108
// out: 2 4294967295 ff
// out: 4 123456789012 4464 44 18446744073709551615
// out: 2 150 -0.25
// out: 2 key some value
// out: 3 x rest
// out: 1 4
// out: 0
// out: -1
// out: 1
// out: 2 123 45
// out: 1 50
// out: 1 long
// out: 2 16 150 16
// out: -77 rest
// out: 255 63 1295
// out: 9223372036854775807 1
// out: 18446744073709551615 4294967296
// out: 32.5 xyz
// out: 0 110
// out: 0.100000001
// out: 0:one 1:two 2:three 3:four
// out: Hello, World 4 4 World
// out: 0 0 1
// out: 4 1
