// Host functions: recursion, mutual recursion through a prototype, deep calls, large frames.
#include <stdio.h>

int is_odd(int n);
int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }

unsigned long long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

void hanoi(int n, int from, int to, int by, int *moves)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, by, to, moves);
    ++*moves;
    hanoi(n - 1, by, to, from, moves);
}

int queens(int n, unsigned columns, unsigned left, unsigned right, unsigned full)
{
    if (columns == full)
        return 1;
    int count = 0;
    unsigned open = full & ~(columns | left | right);
    while (open) {
        unsigned bit = open & -open;
        open ^= bit;
        count += queens(n + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1, full);
    }
    return count;
}

void sort(int *a, int low, int high)
{
    if (low >= high)
        return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    sort(a, low, j);
    sort(a, i, high);
}

int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

int frames(int depth)
{
    int local[64];
    for (int i = 0; i < 64; i++)
        local[i] = depth + i;
    return depth ? frames(depth - 1) + local[depth % 64] - local[0] : local[1];
}

int twice(int x) { return x + x; }

int main()
{
    printf("%d %d\n", is_even(100), is_odd(77));
    printf("%llu\n", factorial(20));
    printf("%d\n", ackermann(2, 3));
    int moves = 0;
    hanoi(10, 0, 1, 2, &moves);
    printf("%d\n", moves);
    printf("%d %d\n", queens(0, 0, 0, 0, 63), queens(0, 0, 0, 0, 127));
    int a[20];
    unsigned seed = 1;
    for (int i = 0; i < 20; i++)
        a[i] = (seed = seed * 1103515245u + 12345u) >> 24;
    sort(a, 0, 19);
    for (int i = 0; i < 20; i++)
        printf("%d%c", a[i], i < 19 ? ' ' : '\n');
    printf("%d %d\n", gcd(1071, 462), frames(200));
    printf("%d\n", twice(twice(twice(gcd(12, 18)))));
    return is_odd(3) + 41;
}

// status: 42
// out: 1 1
// out: 2432902008176640000
// out: 9
// out: 1023
// out: 4 40
// out: 10 15 35 39 49 65 125 149 150 156 175 191 196 196 210 217 226 226 227 249
// out: 21 6085
// out: 48
