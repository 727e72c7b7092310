#include <stdio.h>

int main()
{
    int n = 1;
    float f;
    double d;
    char text[10];
    scanf("%d %f %lf %9s %c", &n, &f, &d, text, text);
    scanf("%d", n); //~ error
    scanf("%d %d", &n); //~ error
    scanf("%lf", &f);
    scanf("%*d %y", &n); //~ error
    scanf("%[^,],%n", text, &n);
    return 0;
}
