#defnie N 4 //~ error
#include stdio.h //~ error
#define 4 5 //~ error
#define F(a, a) a //~ error
#define G(a) #b //~ error
#undef //~ error
#ifdef //~ error
#endif
#pragma once
#pragma unroll

int main()
{
    return 0;
}
