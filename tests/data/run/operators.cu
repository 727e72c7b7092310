// Precedence, comma, conditional, short circuit with side effects.
#include <stdio.h>

int calls;

int note(int value, int result)
{
    calls = calls * 10 + value;
    return result;
}

int main()
{
    printf("%d %d %d\n", 2 + 3 * 4, (2 + 3) * 4, 2 * 3 % 4);
    printf("%d %d %d\n", 20 / 3 * 3, 20 - 5 - 3, 100 / 10 / 2);
    printf("%d %d %d\n", 1 | 2 ^ 3 & 2, 1 & 3 == 3, 6 & 3 << 1);
    printf("%d %d\n", 1 + 2 < 4 == 1, 5 > 3 != 0);
    printf("%d %d\n", !1 + 1, -2 * -3);
    printf("%d %d\n", ~1 + 1, - -3);
    printf("%d %d\n", 1 || 0 && 0, (1 || 0) && 0);
    int a = 1, b = 2, c;
    c = (a++, b++, a + b);
    printf("%d %d %d\n", a, b, c);
    a = b = c = 7;
    printf("%d %d %d\n", a, b, c);
    c = a > 5 ? b < 5 ? 1 : 2 : 3;
    printf("%d\n", c);
    c = a < 5 ? 1 : b > 5 ? 2 : 3;
    printf("%d\n", c);
    printf("%d\n", (a = 3, a * a));
    printf("%d\n", a == 3 ? a = 9 : 0);
    // The common type of both arms, whichever is taken.
    printf("%.2f %d\n", 1 ? 1 : 2.5, (int)sizeof(1 ? 1 : 2.5));
    printf("%lld\n", (long long)(1 ? -1 : 1u));

    calls = 0;
    int r = note(1, 0) && note(2, 1);
    printf("%d %d\n", r, calls);
    calls = 0;
    r = note(1, 1) && note(2, 5);
    printf("%d %d\n", r, calls);
    calls = 0;
    r = note(1, 1) || note(2, 1);
    printf("%d %d\n", r, calls);
    calls = 0;
    r = note(1, 0) || note(2, 0) || note(3, 4) || note(4, 1);
    printf("%d %d\n", r, calls);
    calls = 0;
    r = note(1, 1) && note(2, 0) || note(3, 1) && !note(4, 0);
    printf("%d %d\n", r, calls);
    calls = 0;
    r = note(1, 0) ? note(2, 2) : note(3, 3);
    printf("%d %d\n", r, calls);
    calls = 0;
    if (note(1, 0) && note(2, 1) || !(note(3, 1) && note(4, 1)))
        printf("no\n");
    else
        printf("yes %d\n", calls);
    int i = 0;
    while (i < 10 && note(0, i * i < 20))
        i++;
    printf("%d\n", i);
    for (int p = 0, q = 10; p < q; p++, q -= 2)
        printf("%d-%d ", p, q);
    printf("end\n");
    int x = 5;
    x = x++ * 2;
    printf("%d\n", x);
    x = -x;
    x = +x - -x;
    printf("%d\n", x);
    printf("%d\n", a+++b);
    printf("%d %d\n", a, b);
    return 0;
}

// out: 14 20 2
// out: 18 12 5
// out: 1 1 6
// out: 1 1
// out: 1 6
// out: -1 3
// out: 1 0
// out: 2 3 5
// out: 7 7 7
// out: 2
// out: 2
// out: 9
// out: 9
// out: 1.00 8
// out: 4294967295
// out: 0 1
// out: 1 12
// out: 1 1
// out: 1 123
// out: 1 1234
// out: 3 13
// out: yes 134
// out: 5
// out: 0-10 1-8 2-6 3-4 end
// out: 10
// out: -20
// out: 16
// out: 10 7
