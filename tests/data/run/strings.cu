// C's functions on strings and characters.
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct record {
    char tag;
    double value;
    struct {
        int x, y;
    } inner;
};

int words(const char *s)
{
    int count = 0, inside = 0;
    for (; *s; s++) {
        if (isspace((unsigned char)*s))
            inside = 0;
        else if (!inside++)
            count++;
    }
    return count;
}

int main()
{
    char text[40] = "Hello";
    strcat(text, ", ");
    strcat(text, "World");
    strncat(text, "!?...", 2);
    printf("%s %d\n", text, (int)strlen(text));
    const char *found = strchr(text, 'o');
    printf("%d %s\n", (int)(found - text), found);
    printf("%d\n", (int)(strrchr(text, 'o') - text));
    printf("%d %d\n", strchr(text, 'x') == NULL, *strchr(text, 0));
    printf("%s|%s\n", strstr(text, "World"), strstr(text, ""));
    printf("%d\n", strstr(text, "word") == NULL);
    memset(text, '#', sizeof text);
    strncpy(text, "ab", 4);
    printf("%s %d %c\n", text, text[3], text[4]);
    strncpy(text, "abcdefgh", 3);
    printf("%.5s\n", text);
    text[5] = 0;
    for (char *p = text; *p; p++)
        *p = toupper(*p);
    puts(text);
    printf("%c %c %c %d\n", tolower('Q'), toupper('['), tolower('7'), toupper(-1));
    printf("%d\n", words("  the quick\tbrown \n fox "));
    int sums[9] = {0};
    for (int c = -1; c < 256; c++) {
        sums[0] += isalpha(c) != 0;
        sums[1] += isdigit(c) != 0;
        sums[2] += isalnum(c) != 0;
        sums[3] += isspace(c) != 0;
        sums[4] += isupper(c) != 0;
        sums[5] += islower(c) != 0;
        sums[6] += ispunct(c) != 0;
        sums[7] += isxdigit(c) != 0;
        sums[8] += isprint(c) != 0;
    }
    for (int i = 0; i < 9; i++)
        printf("%d ", sums[i]);
    printf("\n");
    printf("%d %d\n", (int)offsetof(struct record, value), (int)offsetof(struct record, inner.y));
    return 0;
}

// out: Hello, World!? 14
// out: 4 o, World!?
// out: 8
// out: 1 0
// out: World!?|Hello, World!?
// out: 1
// out: ab 0 #
// out: abc
// out: ABC
// out: q [ 7 -1
// out: 4
// out: 52 10 62 6 26 26 32 22 95
// out: 8 20
