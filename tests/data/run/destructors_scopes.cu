// Destructors at the end of scopes, and where `break`, `continue`, `goto` and `return` leave them; g++ agrees.
#include <stdio.h>

// The first to begin is the last to end.
struct Line {
    ~Line() { printf("\n"); }
} line;

struct Noisy {
    int id;
    Noisy(int id) : id(id) { printf("+%d ", id); }
    ~Noisy() { printf("-%d ", id); }
};

void blocks()
{
    Noisy a(1), b(2);
    {
        Noisy c(3);
        { Noisy d(4); }
        printf("| ");
    }
    Noisy e(5);
}

int early(int which)
{
    Noisy a(10);
    if (which == 0)
        return 0;
    Noisy b(11);
    {
        Noisy c(12);
        if (which == 1)
            return printf("r ");
    }
    if (which == 2) {
        Noisy d(13);
        return d.id + b.id;
    }
    return 3;
}

void loops()
{
    for (int i = 0; i < 4; i++) {
        Noisy a(20 + i);
        if (i == 1)
            continue;
        Noisy b(30 + i);
        if (i == 2)
            break;
        printf("; ");
    }
    int n = 0;
    while (n < 3) {
        Noisy a(40 + n++);
        do {
            Noisy b(50);
            if (n == 2)
                break;
            Noisy c(51);
        } while (0);
        if (n == 2)
            continue;
        printf("w ");
    }
    for (Noisy a(60); a.id < 63; a.id++) {
        Noisy b(70 + a.id);
    }
}

void switches(int v)
{
    Noisy a(80);
    switch (v) {
    case 0: {
        Noisy b(81);
        break;
    }
    case 1: {
        Noisy c(82);
    }
    case 2:
        printf("through ");
        break;
    default:
        for (;;) {
            Noisy d(83);
            break;
        }
        return;
    }
    printf("behind ");
}

void jumps()
{
    int n = 0;
again:
    Noisy a(90 + n);
    {
        Noisy b(95);
        if (n++ < 2)
            goto again;
        {
            Noisy c(96);
            if (n == 3)
                goto out;
        }
    }
    printf("never ");
out:
    printf("out ");
}

struct Body {
    int n;
    ~Body()
    {
        Noisy a(100 + n);
        if (n == 1)
            return;
        for (int i = 0; i < 2; i++) {
            Noisy b(110 + i);
            if (i == 1)
                return;
        }
    }
};

int main()
{
    blocks();
    printf("\n");
    for (int i = 0; i < 4; i++)
        printf("= %d\n", early(i));
    loops();
    printf("\n");
    for (int i = 0; i < 4; i++) {
        switches(i);
        printf("\n");
    }
    jumps();
    printf("\n");
    { Body one = {1}, two = {2}; }
    printf("\n");
    Noisy last(0);
}

// out: +1 +2 +3 +4 -4 | -3 +5 -5 -2 -1
// out: +10 -10 = 0
// out: +10 +11 +12 r -12 -11 -10 = 2
// out: +10 +11 +12 -12 +13 -13 -11 -10 = 24
// out: +10 +11 +12 -12 -11 -10 = 3
// out: +20 +30 ; -30 -20 +21 -21 +22 +32 -32 -22 +40 +50 +51 -51 -50 w -40 +41 +50 -50 -41 +42 +50 +51 -51 -50 w -42 +60 +130 -130 +131 -131 +132 -132 -63
// out: +80 +81 -81 behind -80
// out: +80 +82 -82 through behind -80
// out: +80 through behind -80
// out: +80 +83 -83 -80
// out: +90 +95 -95 -90 +91 +95 -95 -91 +92 +95 +96 -96 -95 out -92
// out: +102 +110 -110 +111 -111 -102 +101 -101
// out: +0 -0
