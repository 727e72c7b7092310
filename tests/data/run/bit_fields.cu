// Bit-fields and packed members, on both sides; what is printed is what g++ prints.
#include <stdio.h>
#include <string.h>
enum kind { ROW, COLUMN, BOTH, NONE };
typedef enum { P, Q } pq;
struct flags { unsigned low : 3; int mid : 5; unsigned : 0; unsigned long wide : 40; kind k : 2; pq b : 1; bool on : 1; char c; unsigned : 2; short s : 9; };
struct __attribute__((packed)) tight { char c; int i; double d; float f; short s : 5; unsigned long u : 60; };
struct tail { char a; short b; int c; } __attribute__((packed, aligned(4)));
#pragma pack(push, 2)
struct two { char a; int b; long c; unsigned x : 20; };
#pragma pack(pop)
template <class T, int V> struct alignas(sizeof(T) * V) vec { T of[V]; };
struct member { char c; alignas(16) int x; char d __attribute__((aligned(4))); };
struct alignas(double) al { char c; };
template <class T> void bytes(const char *name, const T &t)
{
    unsigned char b[sizeof(T)];
    memcpy(b, &t, sizeof(T));
    printf("%s %d:", name, (int)sizeof(T));
    for (int i = 0; i < (int)sizeof(T); i++) printf(" %02x", b[i]);
    printf("\n");
}
int calls;
flags *next(flags *f) { calls++; return f; }
__global__ void kernel(flags *f, tight *t, int *out)
{
    f->low += 3; f->mid--; f->wide = f->wide * 3 + 1; f->k = NONE; f->on = true; f->s -= 5;
    t->i += 7; t->d *= 2; t->f += 1; t->s = -3; t->u++;
    out[0] = f->low - 7; out[1] = f->mid; out[2] = (int)(f->wide >> 3); out[3] = f->k; out[4] = t->i;
    flags local = *f; local.low = 9; tight copy = *t; copy.c++; 
    out[5] = local.low + copy.c; out[6] = (local.low = 2) - 5; out[7] = local.s++; out[8] = local.s;
    *t = copy;
}
int main()
{
    flags f = {1, -2, 1234567890123ul, COLUMN, Q, true, 'x', -7};
    bytes("flags", f);
    printf("%d %d %lu %d %d %d %c %d\n", f.low, f.mid, (unsigned long)f.wide, f.k, f.b, f.on, f.c, f.s);
    next(&f)->low += 4; next(&f)->mid = 15; next(&f)->s++; printf("%d %d %d %d\n", f.low, f.mid, f.s, calls);
    tight t = {1, -2, 3.5, 4.25f, 7, 1ul << 58}; bytes("tight", t);
    printf("%d %d %g %g %d %lu\n", t.c, t.i, t.d, t.f, t.s, (unsigned long)t.u);
    tail ta = {1, 2, 3}; bytes("tail", ta); ta.b = -1; ta.c++; bytes("tail", ta);
    two tw = {1, 2, 3, 70000}; bytes("two", tw);
    printf("%zu %zu %zu %zu\n", sizeof(vec<float, 4>), alignof(vec<float, 4>), sizeof(member), alignof(al));
    flags *df; tight *dt; int *d, h[9];
    cudaMalloc(&df, sizeof f); cudaMalloc(&dt, sizeof t); cudaMalloc(&d, sizeof h);
    cudaMemcpy(df, &f, sizeof f, cudaMemcpyHostToDevice); cudaMemcpy(dt, &t, sizeof t, cudaMemcpyHostToDevice);
    kernel<<<1, 1>>>(df, dt, d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); cudaMemcpy(&f, df, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(&t, dt, sizeof t, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 9; i++) printf("%d ", h[i]);
    printf("\n"); bytes("flags", f); bytes("tight", t);
    printf("%d\n", (f.low < -1));
}

// out: flags 24: f1 00 00 00 00 00 00 00 cb 04 fb 71 1f 0d 78 00 f9 01 00 00 00 00 00 00
// out: 1 -2 135056262347 1 1 1 x -7
// out: 5 15 -6 3
// out: tight 26: 01 fe ff ff ff 00 00 00 00 00 00 0c 40 00 00 88 40 07 00 00 00 00 00 00 80 00
// out: 1 -2 3.5 4.25 7 288230376151711744
// out: tail 8: 01 02 00 03 00 00 00 00
// out: tail 8: 01 ff ff 04 00 00 00 00
// out: two 18: 01 00 02 00 00 00 03 00 00 00 00 00 00 00 70 11 01 00
// out: 16 16 32 8
// out: -7 14 -893509172 3 5 3 -3 -11 -10
// out: flags 24: 70 00 00 00 00 00 00 00 62 0e f1 55 5e 0f 78 00 f5 01 00 00 00 00 00 00
// out: tight 26: 02 05 00 00 00 00 00 00 00 00 00 1c 40 00 00 a8 40 3d 00 00 00 00 00 00 80 00
// out: 0
