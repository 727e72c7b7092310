// argc, argv and the value of main.
// args: 12 -7 "two words" 2.5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    printf("%d\n", argc);
    for (int i = 1; i < argc; i++)
        printf("%s %d\n", argv[i], (int)strlen(argv[i]));
    printf("%d %.2f %ld\n", atoi(argv[1]) + atoi(argv[2]), atof(argv[4]), atol("9876543210"));
    printf("%d %d\n", argv[argc] == NULL, argv[3][4]);
    return argc + 2;
}

// status: 7
// out: 5
// out: 12 2
// out: -7 2
// out: two words 9
// out: 2.5 3
// out: 5 2.50 9876543210
// out: 1 119
