#include <stdio.h>
#include "missing.h" //~ error
#include <no/such/header.h> //~ error
#include <math.h>

int main()
{
    printf("%g\n", sqrt(2.0));
    return 0;
}
