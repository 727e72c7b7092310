// Bit-fields as wide as what they are read with, many in a row without padding, and one of no bits at the end; what is
// printed is what g++ prints.
#include <cstdio>
#include <cstring>
struct low { long long m : 32; };
struct halves { long long a : 32, b : 32; };
struct chain { unsigned char head : 3; long long a : 61, b : 63; int c : 31; unsigned d : 29; long long e : 59; short f : 13; } __attribute__((packed));
struct padded { char a[5]; bool b : 1; unsigned : 0; };
struct spaced { short s; char a[3]; long long : 0; };
template <class T> __host__ __device__ int sum(const T &t)
{
    unsigned char b[sizeof(T)];
    int s = 0;
    memcpy(b, &t, sizeof(T));
    for (int i = 0; i < (int)sizeof(T); i++) s = s * 31 + b[i];
    return s;
}
__host__ __device__ void all(long long *out)
{
    low l = {-5};
    halves h = {-6, -7};
    chain c = {5, -11, -12, -13, 14, -15, -16};
    out[0] = l.m; out[1] = h.a; out[2] = h.b; out[3] = l.m-- < -5; out[4] = (h.a = -8) * 2ll; out[5] = l.m;
    out[6] = c.head; out[7] = c.a; out[8] = c.b; out[9] = c.c; out[10] = c.d; out[11] = c.e; out[12] = c.f; out[13] = sum(c);
    c.e += 3; c.f -= 4; c.d ^= 6; c.b *= 2; c.a++;
    out[14] = c.a; out[15] = c.b; out[16] = c.c; out[17] = c.d; out[18] = c.e; out[19] = c.f; out[20] = sum(c);
    out[21] = sizeof(padded); out[22] = sizeof(spaced); out[23] = sizeof(chain);
}
__global__ void kernel(long long *out) { all(out); }
int main()
{
    long long h[24], d[24], *o;
    all(h);
    cudaMalloc(&o, sizeof h);
    kernel<<<1, 1>>>(o);
    cudaMemcpy(d, o, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 24; i++) printf("%lld%s", h[i], i % 8 == 7 ? "\n" : " ");
    printf("%d\n", memcmp(h, d, sizeof h));
}

// out: -5 -6 -7 0 -16 -6 5 -11
// out: -12 -13 14 -15 -16 1578125698 -10 -24
// out: -13 8 -12 -20 604328518 8 8 33
// out: 0
