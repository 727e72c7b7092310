#include <stdio.h>

int main()
{
    printf("hello); //~ error
    char a = 'x; //~ error
    printf("world\n");
    return a;
}
