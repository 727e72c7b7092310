// Structures are copied whole whose bit-fields fill bytes that are no aligned integer: here two at offset 1, and five at 3.
#include <cstdio>

struct Odd {
    signed a : 2;
    unsigned b : 6;
    unsigned c : 14;
    short d;
    signed e : 7;
    short f;
};

struct Wide {
    char a;
    unsigned long long b : 3;
    char c;
    unsigned long long d : 31, e : 9;
    char f;
};

struct Both {
    Odd odd;
    unsigned short between;
    Wide wide;
};

__global__ void rotate(const Both *in, Both *out, int n)
{
    Both all[4];
    for (int i = 0; i < n; i++)
        all[i] = in[i];
    Both last = all[n - 1];
    last.odd.c += threadIdx.x;
    last.wide.e -= 1;
    all[0] = last;
    for (int i = 0; i < n; i++)
        out[i] = all[i];
}

int main()
{
    Both h[3] = {{{1, 2, 3, 4, 5, 6}, 7, {8, 1, 2, 3, 4, 5}},
                 {{-1, 20, 30, 40, 50, 60}, 70, {80, 2, 3, 4, 5, 6}},
                 {{-2, 63, 16383, -4, -5, -6}, 65535, {-8, 7, 12, 2147483647, 511, 15}}};
    Both *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    rotate<<<1, 1>>>(in, out, 3);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (Both all : h) {
        Odd o = all.odd;
        Wide w = all.wide;
        printf("%d %u %u %d %d %d %d: ", o.a, o.b, o.c, o.d, o.e, o.f, all.between);
        printf("%d %d %d %d %d %d\n", w.a, (int)w.b, w.c, (int)w.d, (int)w.e, w.f);
    }
    printf("%d\n", (int)sizeof(Both));
    cudaFree(in);
    cudaFree(out);
}
// out: -2 63 16383 -4 -5 -6 65535: -8 7 12 2147483647 510 15
// out: -1 20 30 40 50 60 70: 80 2 3 4 5 6
// out: -2 63 16383 -4 -5 -6 65535: -8 7 12 2147483647 511 15
// out: 32
