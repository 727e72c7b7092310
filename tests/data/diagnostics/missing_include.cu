#include <stdio.h>
#include "missing.h"
#include <no/such/header.h>
#include <math.h>

int main()
{
    printf("%g\n", sqrt(2.0) + from_the_header(1)); //~ error
    return 0;
}
