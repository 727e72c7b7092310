// Plain char is signed; escapes, character arithmetic, and strings as arrays.
#include <stdio.h>
#include <string.h>

int count(const char *text, char wanted)
{
    int n = 0;
    while (*text)
        n += *text++ == wanted;
    return n;
}

int main()
{
    char c = (char)0xFF;
    printf("%d %d %d\n", c, c < 0, (unsigned char)c);
    printf("%d %d %d %d %d\n", '\n', '\t', '\\', '\'', '\0');
    printf("%d %d %d %d\n", '\x41', '\101', '\xff', '\377');
    printf("%d %d %d %d %d %d\n", '\a', '\b', '\f', '\v', '\r', '\"');
    printf("%d %c %c\n", 'a' + 1, 'a' + 1, "hello"[4]);
    printf("tab[\t] quote[\"] backslash[\\] percent[%%] question[\?]\n");
    printf("one " "two " "three" "\n");
    printf("%d %d\n", (int)sizeof("hello"), (int)strlen("hello\0world"));
    printf("%d %d\n", (int)sizeof('a'), (int)sizeof("a\x41" "B"));
    printf("%s\n", "a\x41" "B\102\60");

    char text[16] = "abc";
    text[3] = 'd';
    printf("%s %d %d\n", text, (int)strlen(text), text[15]);
    for (char letter = 'a'; letter <= 'e'; letter++)
        putchar(letter - 'a' + 'A');
    putchar('\n');
    char open[] = {'x', 'y', 'z', 0};
    printf("%s %d\n", open, (int)sizeof open);
    char exact[] = "four";
    printf("%d %d\n", (int)sizeof exact, (int)(sizeof exact / sizeof exact[0]));
    const char *words[] = {"zero", "one", "two", "three"};
    for (int i = 0; i < 4; i++)
        printf("%s:%d%c", words[i], (int)strlen(words[i]), i == 3 ? '\n' : ' ');
    printf("%d\n", count("mississippi", 's'));
    printf("%d %d %d\n", strcmp("abc", "abd") < 0, strcmp("b", "abc") > 0, strcmp("", ""));
    char copy[8];
    strcpy(copy, "copied");
    printf("%s %d\n", copy, strncmp(copy, "copper", 3));
    puts("a line");
    unsigned char high = 200;
    char low = high;
    printf("%d %d\n", low, low + high);
    return 0;
}

// out: -1 1 255
// out: 10 9 92 39 0
// out: 65 65 -1 -1
// out: 7 8 12 11 13 34
// out: 98 b o
// out: tab[	] quote["] backslash[\] percent[%] question[?]
// out: one two three
// out: 6 5
// out: 1 4
// out: aABB0
// out: abcd 4 0
// out: ABCDE
// out: xyz 4
// out: 5 5
// out: zero:4 one:3 two:3 three:5
// out: 4
// out: 1 1 0
// out: copied 0
// out: a line
// out: -56 144
