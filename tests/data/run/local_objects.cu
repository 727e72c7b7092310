// Local arrays and structures: those whose places are all known become registers, others stay.
#include <stdio.h>

#define BOTH __host__ __device__

struct part { unsigned char tag; short half; float v[3]; double wide; };
union word { int i; float f; unsigned char b[4]; short s[2]; };

BOTH void axpy(float4 &a, const float4 &b, float s) { a.x += b.x * s; a.y -= b.y * s; a.z *= s; a.w = b.w; }
BOTH void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

BOTH int vectors(int n)
{
    float4 sum = make_float4(0, 1, 2, 3);
    for (int i = 0; i < 5; i++)
        axpy(sum, make_float4(i, n, 3, i + n), 0.5f);
    return (int)(sum.x * 1000 + sum.y * 100 + sum.z * 10 + sum.w);
}

BOTH int tile(int n)
{
    int c[3][3], a[3], b[3], r = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = i == j;
    for (int k = 0; k < n % 7 + 1; k++) {
        for (int i = 0; i < 3; i++) {
            a[i] = k * i + n;
            b[i] = k - i;
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                c[i][j] += a[i] * b[j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r = r * 7 + c[i][j];
    return r;
}

BOTH int narrow(int n)
{
    unsigned char u[4] = {250, 1, 2, 3};
    signed char s[4] = {};
    bool flags[3] = {};
    short h[2] = {-1, 7};
    for (int i = 0; i < 4; i++) {
        u[i] += n * 3;
        s[i] = u[i] + 100;
        h[i & 1] += s[i] * 300;
    }
    flags[1] = n & 2;
    flags[2] = s[0] < 0;
    return u[0] * 7 + u[3] - s[1] * 5 + h[0] - h[1] + flags[0] + 2 * flags[1] + 4 * flags[2];
}

BOTH int records(int n)
{
    part p = {(unsigned char)n, 3, {1, 2, 3}, 4.5}, q = p, all[2];
    q.v[1] += n;
    if (n & 1)
        q.wide *= n;
    all[0] = q;
    all[1] = p;
    all[0].v[2] = all[1].v[1] + all[0].v[1];
    return all[0].tag + all[0].half + (int)(all[0].v[2] * 8) + (int)(all[0].wide * 2) + (int)all[1].wide;
}

BOTH int unions(int n)
{
    word w;
    w.i = n * 0x01020305;
    int bytes = w.b[0] + w.b[1] * 2 + w.b[2] * 3 + w.b[3] * 4 + w.s[0] + w.s[1];
    w.b[2] = 7;
    return bytes + w.i;
}

BOTH int pointers(int n)
{
    int x = n, y = n * n, z = 3;
    int *p[3] = {&x, &y, &z};
    if (n % 3)
        swap(p[0], p[1]);
    swap(&y, &z);
    *p[2] += 1;
    return x * 10000 + y * 100 + z;
}

// In a loop a variable is zero at its declaration each time.
BOTH int fresh(int n)
{
    int r = 0;
    for (int i = 0; i < n % 5 + 2; i++) {
        int a[40];
        part p;
        for (int k = 0; k < 40; k++)
            a[k] += k + i;
        p.v[i % 3] += i;
        r = r * 3 + a[7] + a[39] + (int)(p.v[0] + p.v[1]);
    }
    return r;
}

BOTH int dynamic(int n)
{
    int a[8] = {1, 2, 3}, b[4];
    a[n & 7] = 100;
    b[0] = a[0];
    b[1] = a[n % 3];
    b[n & 3] += 5;
    return b[0] + b[1] * 3 + b[2] * 5 + b[3] * 7;
}

// As much as a thread of LIBOR keeps.
BOTH int large(int n)
{
    float l[3280];
    for (int i = 0; i < 3280; i++)
        l[i] = i * n;
    float sum = 0;
    for (int i = 0; i < 3280; i += 41)
        sum += l[(i * 7 + n) % 3280];
    return (int)sum;
}

BOTH int all(int n, int which)
{
    switch (which) {
    case 0: return vectors(n);
    case 1: return tile(n);
    case 2: return narrow(n);
    case 3: return records(n);
    case 4: return unions(n);
    case 5: return pointers(n);
    case 6: return fresh(n);
    case 7: return dynamic(n);
    default: return large(n);
    }
}

#define KINDS 9
#define THREADS 33

__global__ void kernel(int *out)
{
#pragma unroll
    for (int k = 0; k < KINDS; k++)
        out[k * THREADS + threadIdx.x] = all(threadIdx.x, k);
}

int main()
{
    static int h[KINDS * THREADS];
    int *d;
    cudaMalloc(&d, sizeof h);
    kernel<<<1, THREADS>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int k = 0; k < KINDS; k++) {
        int wrong = 0;
        unsigned hash = 0;
        for (int t = 0; t < THREADS; t++) {
            int r = all(t, k);
            hash = hash * 31 + r;
            wrong += r != h[k * THREADS + t];
        }
        printf("%d: %d %d %u, %d wrong\n", k, all(1, k), all(6, k), hash, wrong);
    }
    return 0;
}

// out: 0: 4855 3610 860625696, 0 wrong
// out: 1: 10385490 810315885 2377664548, 0 wrong
// out: 2: -1151 -2896 3838419980, 0 wrong
// out: 3: 57 102 1803399248, 0 wrong
// out: 4: 17237793 101132998 681825296, 0 wrong
// out: 5: 10302 60337 2497290461, 0 wrong
// out: 6: 611 611 1767000024, 0 wrong
// out: 7: 316 29 3571607655, 0 wrong
// out: 8: 129640 780240 2762438272, 0 wrong
