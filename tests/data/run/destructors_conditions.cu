// Objects with destructors that conditions declare; g++ agrees.
#include <stdio.h>

// The first to begin is the last to end.
struct Line {
    ~Line() { printf("\n"); }
} line;

struct Noisy {
    int id;
    Noisy(int id) : id(id) { printf("+%d ", id); }
    ~Noisy() { printf("-%d ", id); }
    operator bool() const { return id % 10 != 0; }
};
struct Number {
    int id;
    Number(int id) : id(id) {}
    ~Number() { printf("-n%d ", id); }
    operator int() const { return id; }
};
int result(int n)
{
    if (Noisy a = n) {
        Noisy b = n + 100;
        if (n == 2)
            return 1;
    } else {
        printf("else%d ", a.id);
        if (n == 10)
            return 2;
    }
    return 3;
}
int main()
{
    const int numbers[] = {1, 2, 10, 20};
    for (int n : numbers)
        printf("= %d\n", result(n));
    int left = 4;
    while (Noisy a = left--) {
        Noisy b = 200 + left;
        if (left == 2)
            continue;
        if (left == 1)
            break;
    }
    printf("\n");
    left = 3;
    while (Noisy a = left-- * 10 + (left > 0))
        printf("body%d ", a.id);
    printf("\n");
    for (int i = 0; i < 3; i++) {
        switch (Number n = i) {
        case 0: printf("zero "); break;
        case 1: printf("one "); continue;
        default: { Noisy b = 300 + n; break; }
        }
        printf("behind ");
    }
    printf("\n");
    int values[3] = {5, 6, 7};
    for (int v : values) {
        Noisy c = v;
        if (v == 6)
            continue;
        printf("%d ", v);
    }
    printf("\n");
    Noisy rows[2] = {8, 9};
    for (Noisy &each : rows)
        printf("%d ", each.id);
    for (const Noisy &each : rows)
        printf("%d ", each.id);
    printf("\n");
}

// out: +1 +101 -101 -1 = 3
// out: +2 +102 -102 -2 = 1
// out: +10 else10 -10 = 2
// out: +20 else20 -20 = 3
// out: +4 +203 -203 -4 +3 +202 -202 -3 +2 +201 -201 -2
// out: +31 body31 -31 +21 body21 -21 +10 -10
// out: zero -n0 behind one -n1 +302 -302 -n2 behind
// out: +5 5 -5 +6 -6 +7 7 -7
// out: +8 +9 8 9 8 9
// out: -9 -8
