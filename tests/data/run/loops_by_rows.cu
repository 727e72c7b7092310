// Loops of the host whose iterations may be run side by side, and those that only look as if they could: what an
// iteration reads of others, where a loop is left, what wraps, and sums that depend on their order.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

enum { N = 700 };

static unsigned digest(const void *data, unsigned bytes)
{
    const unsigned char *at = (const unsigned char *)data;
    unsigned sum = 2166136261u;
    for (unsigned i = 0; i < bytes; i++)
        sum = (sum ^ at[i]) * 16777619u;
    return sum;
}

static void overlaps(int *a)
{
    for (int i = 0; i < N; i++) a[i] = i * 7 - 1000;
    printf("fill %08x\n", digest(a, N * 4));
    for (int i = 0; i + 1 < N; i++) a[i + 1] = a[i] + 3;
    printf("carried %08x\n", digest(a, N * 4));
    for (int i = 0; i < N; i++) a[i] = a[i] * a[i] + i;
    printf("in place %08x\n", digest(a, N * 4));
    for (int i = 0; i + 200 < N; i++) a[i] = a[i + 200] + 1;
    printf("from behind %08x\n", digest(a, N * 4));
    for (int i = N - 1; i >= 5; i--) a[i] = a[i - 5] + 2;
    printf("down %08x\n", digest(a, N * 4));
    for (int i = 0; i < N; i++) { a[i] = i; a[N - 1 - i] = -i; }
    printf("two stores %08x\n", digest(a, N * 4));
    for (int i = 0; i < N; i++) { a[i] += 5; a[i] = a[i] * 3; }
    printf("stored and read %08x\n", digest(a, N * 4));
    for (int i = 0; i < N; i++) a[i % 10] = i;
    printf("one cell often %08x\n", digest(a, N * 4));
    for (int i = 0; i < N; i++) a[(i * 37) % N]++;
    printf("scattered %08x\n", digest(a, N * 4));
    int *p = a, *end = a + N;
    int sum = 0;
    while (p != end) sum += *p++;
    printf("by pointer %d\n", sum);
    for (p = end - 1; p >= a; p -= 3) *p = sum--;
    printf("by pointer, down %08x\n", digest(a, N * 4));
}

static void types()
{
    static signed char c[N];
    static unsigned short h[N];
    static double d[N];
    static long long l[N];
    static float f[N];
    for (int i = 0; i < N; i++) c[i] = (signed char)(i * 5);
    for (int i = 0; i < N; i++) h[i] = (unsigned short)(c[i] * 300);
    for (unsigned i = 0; i < N; i++) l[i] = (long long)h[i] << 33 | i;
    for (long long i = 0; i < N; i++) d[i] = l[i] / 3.0;
    for (unsigned long long i = 0; i < N; i++) f[i] = (float)(d[i] * 1e-9);
    printf("types %08x %08x %08x %08x %08x\n", digest(c, sizeof c), digest(h, sizeof h),
           digest(l, sizeof l), digest(d, sizeof d), digest(f, sizeof f));
    float sum = 0;
    double wide = 1;
    for (int i = 0; i < N; i++) sum += f[i] * 1.25f;
    for (int i = 0; i < N; i++) wide = wide - f[i] / (i + 1);
    printf("sums %a %a\n", sum, wide);
    f[300] = f[1] / 0.0f;
    f[400] = -f[300];
    sum = 0;
    for (int i = 0; i < 400; i++) sum += f[i];
    printf("infinite %d\n", sum > 1e38f);
    for (int i = 400; i < N; i++) sum += f[i];
    unsigned bits;
    memcpy(&bits, &sum, 4);
    printf("no number %d\n", sum != sum);
    int quotients = 0;
    for (int i = 1; i < N; i++) quotients += 100000 / i + 100000 % i;
    printf("quotients %d\n", quotients);
}

static void exits(int *a)
{
    for (int i = 0; i < N; i++) a[i] = i == 431 ? -1 : i;
    int found = -1, seen = 0;
    for (int i = 0; i < N; i++) {
        seen += a[i];
        if (a[i] < 0) { found = i; break; }
    }
    printf("break at %d, %d\n", found, seen);
    int odd = 0;
    for (int i = 0; i < N; i++) {
        if (i % 2 == 0) continue;
        odd += a[i];
    }
    printf("continue %d\n", odd);
    int border = 0;
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 35; x++) {
            if (x == 0 || y == 0 || x == 34 || y == 19) { border += a[y * 35 + x]; continue; }
            a[y * 35 + x] = a[(y - 1) * 35 + x] + 1;
        }
    printf("border %d %08x\n", border, digest(a, N * 4));
    int complaints = 0;
    for (int i = 0; i < N; i++)
        if (a[i] == 77) printf("complaint %d at %d\n", ++complaints, i);
    int i = 0, steps = 0;
    do { steps++; i += 9; } while (i < N);
    printf("do %d %d\n", i, steps);
    int last = 0;
    for (int k = 0; k < N; k++) last = k * 2;
    printf("last %d\n", last);
    int previous = 5, current = 8;
    for (int k = 0; k < N; k++) { int next = previous + current; previous = current; current = next; }
    printf("fibonacci %d\n", current);
    int running = 0;
    for (int k = 0; k < N; k++) { running += k; a[k] = running; }
    printf("running %08x\n", digest(a, N * 4));
}

static void wraps()
{
    unsigned char small[300];
    int trips = 0;
    for (unsigned i = 4294967000u; i >= 100; i++) trips++;
    printf("unsigned wraps after %d\n", trips);
    unsigned sum = 0;
    for (unsigned i = 0; i < 200; i++) sum += i * 0x10001000u;
    printf("products wrap %u\n", sum);
    for (unsigned char i = 0; i < 250; i++) small[i] = i * 3;
    printf("bytes %08x\n", digest(small, 250));
    int base = 2147483000, above = 0;
    for (int i = 0; i < 600; i++) above += (base + i) & 1;
    printf("near the end %d\n", above);
    unsigned shifts = 0;
    for (int i = 0; i < 40; i++) shifts ^= 1u << (i & 31);
    printf("shifts %u\n", shifts);
}

int main()
{
    int *a = (int *)malloc(N * sizeof(int));
    overlaps(a);
    types();
    exits(a);
    wraps();
    free(a);
    return 0;
}

// out: fill a44d61d7
// out: carried 431192d2
// out: in place e6caba9f
// out: from behind cb1b008f
// out: down c44b8bf3
// out: two stores 6478aed2
// out: stored and read 9c7b9bf2
// out: one cell often 8290ad84
// out: scattered b4ab3d81
// out: by pointer 38830
// out: by pointer, down ba6bb027
// out: types 4b3e4c71 5a22d062 4fadcd51 1d3d077b 058a958d
// out: sums 0x1.3366a4p+26 -0x1.90ead8f79500cp+18
// out: infinite 1
// out: no number 1
// out: quotients 833570
// out: break at 431, 92664
// out: continue 122068
// out: border 37047 75aec0f3
// out: do 702 78
// out: last 1398
// out: fibonacci 132483623
// out: running efdedce8
// out: unsigned wraps after 296
// out: products wrap 3302735872
// out: bytes 5d6161b4
// out: near the end 300
// out: shifts 4294967040
