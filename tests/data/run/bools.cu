// bool: conversion compares with zero, arithmetic happens in int.
#include <stdio.h>

bool odd(int n) { return n & 1; }

int main()
{
    bool a = 5, b = 0, c = 0.25, d = -1;
    printf("%d %d %d %d\n", a, b, c, d);
    printf("%d %d %d %d\n", a + c, -d, a * 7, ~a);
    printf("%d %d\n", (int)sizeof(bool), (int)sizeof(a + b));
    bool e = 256;
    char f = (char)256;
    printf("%d %d\n", e, f);
    printf("%d %d %d\n", !5, !!5, !0.0f);
    int small = 10;
    printf("%d %d\n", 1 < small < 3, 3 > small > 1);
    b += 3;
    printf("%d\n", b);
    b -= 1;
    printf("%d\n", b);
    a &= 2;
    printf("%d\n", a);
    a |= 2;
    printf("%d\n", a);
    a ^= true;
    printf("%d\n", a);
    printf("%d %d %d\n", odd(2), odd(3), odd(-3));
    bool table[4] = {1, 1, 0, false};
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 2 + table[i];
    printf("%d %d\n", sum, (int)sizeof table);
    int *null = 0;
    bool valid = null;
    int x = 3;
    null = &x;
    printf("%d %d %d\n", valid, (bool)null, true + true == 2);
    float nan = 0.0f / 0.0f;
    printf("%d %d\n", (bool)nan, (bool)-0.0f);
    printf("%d\n", (a ? 1 : 2) + (b ? 10 : 20));
    return 0;
}

// out: 1 0 1 1
// out: 2 -1 7 -2
// out: 1 4
// out: 1 0
// out: 0 1 1
// out: 1 0
// out: 1
// out: 0
// out: 0
// out: 1
// out: 0
// out: 0 1 1
// out: 12 4
// out: 0 1 1
// out: 1 0
// out: 22
