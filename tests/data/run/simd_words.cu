// Intrinsics on the halves and bytes of a word; the expected sums are those of a program in Python.
#include <stdio.h>

__constant__ unsigned special[10] = {0, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x80008000u,
    0x7fff7fffu, 0x80808080u, 0x7f7f7f7fu, 0x01ff00feu, 0xff0080ffu};

__device__ unsigned step(unsigned x) { return x * 1664525u + 1013904223u; }

// Three words of a thread: some at an end of their range, the others random.
__device__ void words(unsigned t, unsigned *w)
{
    unsigned x = t * 2654435761u;
    for (int i = 0; i < 3; i++) {
        x = step(x);
        w[i] = (x >> 28) % 4 == 0 ? special[(x >> 8) % 10] : step(x ^ x >> 13);
    }
}

__global__ void k(unsigned *out)
{
    int t = threadIdx.x;
    unsigned w[3];
    words(t, w);
    unsigned a = w[0], b = w[1];
    out[0 * 64 + t] = __vabs2(a);
    out[1 * 64 + t] = __vabs4(a);
    out[2 * 64 + t] = __vabsss2(a);
    out[3 * 64 + t] = __vabsss4(a);
    out[4 * 64 + t] = __vabsdiffs2(a, b);
    out[5 * 64 + t] = __vabsdiffs4(a, b);
    out[6 * 64 + t] = __vabsdiffu2(a, b);
    out[7 * 64 + t] = __vabsdiffu4(a, b);
    out[8 * 64 + t] = __vadd2(a, b);
    out[9 * 64 + t] = __vadd4(a, b);
    out[10 * 64 + t] = __vaddss2(a, b);
    out[11 * 64 + t] = __vaddss4(a, b);
    out[12 * 64 + t] = __vaddus2(a, b);
    out[13 * 64 + t] = __vaddus4(a, b);
    out[14 * 64 + t] = __vavgs2(a, b);
    out[15 * 64 + t] = __vavgs4(a, b);
    out[16 * 64 + t] = __vavgu2(a, b);
    out[17 * 64 + t] = __vavgu4(a, b);
    out[18 * 64 + t] = __vhaddu2(a, b);
    out[19 * 64 + t] = __vhaddu4(a, b);
    out[20 * 64 + t] = __vcmpeq2(a, b);
    out[21 * 64 + t] = __vcmpeq4(a, b);
    out[22 * 64 + t] = __vseteq2(a, b);
    out[23 * 64 + t] = __vseteq4(a, b);
    out[24 * 64 + t] = __vcmpne2(a, b);
    out[25 * 64 + t] = __vcmpne4(a, b);
    out[26 * 64 + t] = __vsetne2(a, b);
    out[27 * 64 + t] = __vsetne4(a, b);
    out[28 * 64 + t] = __vcmpges2(a, b);
    out[29 * 64 + t] = __vcmpges4(a, b);
    out[30 * 64 + t] = __vsetges2(a, b);
    out[31 * 64 + t] = __vsetges4(a, b);
    out[32 * 64 + t] = __vcmpgeu2(a, b);
    out[33 * 64 + t] = __vcmpgeu4(a, b);
    out[34 * 64 + t] = __vsetgeu2(a, b);
    out[35 * 64 + t] = __vsetgeu4(a, b);
    out[36 * 64 + t] = __vcmpgts2(a, b);
    out[37 * 64 + t] = __vcmpgts4(a, b);
    out[38 * 64 + t] = __vsetgts2(a, b);
    out[39 * 64 + t] = __vsetgts4(a, b);
    out[40 * 64 + t] = __vcmpgtu2(a, b);
    out[41 * 64 + t] = __vcmpgtu4(a, b);
    out[42 * 64 + t] = __vsetgtu2(a, b);
    out[43 * 64 + t] = __vsetgtu4(a, b);
    out[44 * 64 + t] = __vcmples2(a, b);
    out[45 * 64 + t] = __vcmples4(a, b);
    out[46 * 64 + t] = __vsetles2(a, b);
    out[47 * 64 + t] = __vsetles4(a, b);
    out[48 * 64 + t] = __vcmpleu2(a, b);
    out[49 * 64 + t] = __vcmpleu4(a, b);
    out[50 * 64 + t] = __vsetleu2(a, b);
    out[51 * 64 + t] = __vsetleu4(a, b);
    out[52 * 64 + t] = __vcmplts2(a, b);
    out[53 * 64 + t] = __vcmplts4(a, b);
    out[54 * 64 + t] = __vsetlts2(a, b);
    out[55 * 64 + t] = __vsetlts4(a, b);
    out[56 * 64 + t] = __vcmpltu2(a, b);
    out[57 * 64 + t] = __vcmpltu4(a, b);
    out[58 * 64 + t] = __vsetltu2(a, b);
    out[59 * 64 + t] = __vsetltu4(a, b);
    out[60 * 64 + t] = __vmaxs2(a, b);
    out[61 * 64 + t] = __vmaxs4(a, b);
    out[62 * 64 + t] = __vmaxu2(a, b);
    out[63 * 64 + t] = __vmaxu4(a, b);
    out[64 * 64 + t] = __vmins2(a, b);
    out[65 * 64 + t] = __vmins4(a, b);
    out[66 * 64 + t] = __vminu2(a, b);
    out[67 * 64 + t] = __vminu4(a, b);
    out[68 * 64 + t] = __vneg2(a);
    out[69 * 64 + t] = __vneg4(a);
    out[70 * 64 + t] = __vnegss2(a);
    out[71 * 64 + t] = __vnegss4(a);
    out[72 * 64 + t] = __vsads2(a, b);
    out[73 * 64 + t] = __vsads4(a, b);
    out[74 * 64 + t] = __vsadu2(a, b);
    out[75 * 64 + t] = __vsadu4(a, b);
    out[76 * 64 + t] = __vsub2(a, b);
    out[77 * 64 + t] = __vsub4(a, b);
    out[78 * 64 + t] = __vsubss2(a, b);
    out[79 * 64 + t] = __vsubss4(a, b);
    out[80 * 64 + t] = __vsubus2(a, b);
    out[81 * 64 + t] = __vsubus4(a, b);
}

int main()
{
    static unsigned all[82 * 64];
    unsigned *out;
    cudaMalloc(&out, sizeof all);
    k<<<1, 64>>>(out);
    cudaMemcpy(all, out, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 82; i++) {
        unsigned sum = 0;
        for (int t = 0; t < 64; t++)
            sum = sum * 31 + all[i * 64 + t];
        printf("%08x%c", sum, i % 6 == 5 || i == 81 ? '\n' : ' ');
    }
    return 0;
}

// out: 6f498f5e 288255b8 6f498f5e 27d62e77 9319c211 26a35a73
// out: 4e6dd4bd 898f865d 026519bb 2c6ebabb f7df04e4 ddb07d71
// out: e6944aae 0ee1f3f0 f083818f 52e5d4cd 80b1e18e 2bd9c08e
// out: d0cf382d 25a7592d 00000000 da6f6d21 00000000 280271df
// out: ec577c00 11e80edf 97a88400 182a1221 9ec932df 0b66c9c3
// out: 2e57cd21 010c733d f60a7300 2da9507d 96f58d00 5b893283
// out: 9ec932df 30f75ca2 2e57cd21 d90a015e f60a7300 5339e35c
// out: 96f58d00 3386c0a4 4d8e4921 bb601f5e 6950b6df 672282a2
// out: f64d0900 991d98a4 00b2f700 0ca5c35c 4d8e4921 e0f0b23d
// out: 6950b6df 3f2010c3 f64d0900 beae2b83 00b2f700 e4a3517d
// out: 3d9fede6 c381b717 cff7773c 6d88500c 13e12bd5 8dff62a4
// out: 8189a27f e3f8c9af 8d1e737c 35a2737c 8d1e737c 34f64c3b
// out: de397f72 fb59f8f9 4a43d7be 619394a9 9341ff4d 3f937c4d
// out: 40e0193b d4e2026c 7557ea05 12e8c2d5
