// switch: fall-through, default in the middle, nested, in loops, Duff's device, odd types.
#include <stdio.h>

int middle(int n)
{
    int r = 0;
    switch (n) {
    case 1:
        r += 1;
    default:
        r += 10;
    case 2:
        r += 100;
        break;
    case 3:
        r += 1000;
    }
    return r;
}

int grouped(char c)
{
    switch (c) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return 1;
    case '0': case '1': case '2':
        return 2;
    case ' ':
        break;
    default:
        return 3;
    }
    return 4;
}

int nested(int a, int b)
{
    switch (a) {
    case 0:
        switch (b) {
        case 0:
            return 1;
        default:
            break;
        case 1:
            b = 5;
        }
        return b;
    case 1:
        for (int i = 0; i < 10; i++) {
            switch (i) {
            case 3:
                continue;
            case 5:
                break;
            default:
                b += i;
                break;
            case 8:
                return b;
            }
            b += 100;
        }
    }
    return -1;
}

void duff(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *to++ = *from++;
    case 7:
            *to++ = *from++;
    case 6:
            *to++ = *from++;
    case 5:
            *to++ = *from++;
    case 4:
            *to++ = *from++;
    case 3:
            *to++ = *from++;
    case 2:
            *to++ = *from++;
    case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}

int into_loop(int n)
{
    int sum = 0;
    int i = 0;
    switch (n) {
        for (; i < 3; i++) {
    case 1:
            sum += 1;
            if (i == 1)
                break;
    case 2:
            sum += 10;
        }
        sum += 100;
    }
    return sum;
}

int main()
{
    for (int n = 0; n < 5; n++)
        printf("%d ", middle(n));
    printf("\n");
    printf("%d %d %d %d\n", grouped('e'), grouped('1'), grouped(' '), grouped('x'));
    printf("%d %d %d\n", nested(0, 0), nested(0, 1), nested(0, 7));
    printf("%d %d\n", nested(1, 0), nested(2, 0));
    char to[32];
    const char *from = "the quick brown fox jumps";
    for (int n = 1; n < 26; n += 3) {
        for (int i = 0; i < 32; i++)
            to[i] = 0;
        duff(to, from, n);
        printf("%s|", to);
    }
    printf("\n");
    printf("%d %d %d\n", into_loop(0), into_loop(1), into_loop(2));
    long long wide = 1LL << 40;
    switch (wide) {
    case 0:
        printf("zero\n");
        break;
    case 1LL << 40:
        printf("wide\n");
        break;
    }
    unsigned u = 0xFFFFFFFFu;
    switch (u) {
    case (unsigned)-1:
        printf("minus one\n");
        break;
    default:
        printf("default\n");
    }
    unsigned char narrow = 200;
    switch (narrow) {
    case -56:
        printf("sign extended\n");
        break;
    case 200:
        printf("zero extended\n");
    }
    switch (5) {
    case 5:
        printf("alone\n");
    }
    switch (3) {
    }
    return 0;
}

// out: 110 111 100 1000 110
// out: 1 2 4 3
// out: 1 5 7
// out: 720 -1
// out: t|the |the qui|the quick |the quick bro|the quick brown |the quick brown fox|the quick brown fox ju|the quick brown fox jumps|
// out: 0 112 111
// out: wide
// out: minus one
// out: zero extended
// out: alone
