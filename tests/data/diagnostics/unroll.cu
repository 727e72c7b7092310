// #pragma unroll with factors that are none, and where there is no loop.
#define REPEAT(n) _Pragma("unroll") for (int i = 0; i < n; i++)
#pragma unroll 4
__global__ void k(int *p, int n)
{
#pragma unroll n //~ error
    for (int i = 0; i < 40; i++)
        p[i] = i;
#pragma unroll 2.5 //~ error
    for (int i = 0; i < 40; i++)
        p[i] = i;
#pragma unroll missing //~ error
    for (int i = 0; i < 40; i++)
        p[i] = i;
#pragma unroll 0
    for (int i = 0; i < 40; i++)
        p[i] = i;
#pragma unroll -1
    while (n-- > 0)
        p[n] = 0;
#pragma unroll 3000000000
    do
        p[n] = 1;
    while (n-- > 0);
#pragma unroll
    p[0] = 1;
    REPEAT(4)
        p[i] = 2;
    _Pragma("unroll") p[1] = 2;
    _Pragma(unroll) //~ error
    if (n)
#pragma unroll 2
        for (int i = 0; i < n; i++)
            p[i] = 4;
    else
        p[0] = 2;
#pragma unroll
}
