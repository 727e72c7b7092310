// Standard input, character by character, by lines and formatted.
// in: 3 4.5 word
// in: the second line
// in: x=10,y=-20
// in:   last
#include <stdio.h>
#include <string.h>

int main()
{
    int n, x, y, r;
    float f;
    char word[16], line[64];
    r = scanf("%d %f %15s", &n, &f, word);
    printf("%d: %d %.1f %s\n", r, n, f, word);
    printf("%d\n", getchar());
    fgets(line, sizeof line, stdin);
    printf("%zu %s", strlen(line), line);
    printf("%d: ", fscanf(stdin, "x=%d,y=%d", &x, &y));
    printf("%d %d\n", x, y);
    r = scanf("%s", word);
    printf("%d %s\n", r, word);
    r = scanf("%d", &n);
    printf("%d ", r);
    printf("%d ", getchar());
    printf("%d\n", feof(stdin) != 0);
    return 0;
}

// out: 3: 3 4.5 word
// out: 10
// out: 16 the second line
// out: 2: 10 -20
// out: 1 last
// out: -1 -1 1
