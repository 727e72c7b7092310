// Values that loops carry: swaps, rotations, the value of the round before, used after the loop.
#include <stdio.h>

__global__ void swaps(int *out)
{
    int t = threadIdx.x;
    int a = t, b = 100 + t, c = 200 + t;
    for (int i = 0; i < t; i++) {
        int s = a;
        a = b;
        b = s;
    }
    out[t] = a * 1000 + b;
    for (int i = 0; i < t; i++) {
        int s = a;
        a = b;
        b = c;
        c = s;
    }
    out[32 + t] = a * 1000 + b - c;
}

__global__ void previous(int *out)
{
    int t = threadIdx.x;
    int x = 1, old = -1, older = -2;
    int i = 0;
    while (x < 1000 * (t % 4)) {
        older = old;
        old = x;
        x = x * 2 + i;
        i++;
    }
    out[t] = x + 7 * old + 13 * older + 100000 * i;
    unsigned f = 0, g = 1;
    for (int k = 0; k < t; k++) {
        f += g;
        unsigned s = f;
        f = g;
        g = s;
    }
    out[32 + t] = f;
}

__global__ void last(const int *in, int *out)
{
    int t = threadIdx.x, at = -1, seen = 0, best = -1000;
    for (int i = 0; i < 32; i++) {
        int v = in[(i + t) % 32];
        if (v % 5 == t % 5) {
            seen++;
            at = i;
            if (seen == 3)
                break;
        } else if (v > best)
            best = v;
    }
    out[t] = at * 10000 + seen * 1000 + best;
    int p = t, q = 31 - t, r = 0;
    do {
        int u = p;
        p = q & ~1;
        q = u >> 1;
        r = r * 2 + (p > q);
    } while (p + q > 3 && r < 500);
    out[32 + t] = r * 100 + p - q;
}

__global__ void nested(int *out)
{
    int t = threadIdx.x;
    int a = 1, b = 2, total = 0;
    for (int i = 0; i < 4; i++) {
        int c = a;
        for (int j = 0; j < (t + i) % 3; j++) {
            int s = a;
            a = b + c;
            b = s;
            c = j;
        }
        total = total * 3 + c;
    }
    out[t] = a * 1000000 + b * 1000 + total;
    unsigned x = t, y = 0;
    for (unsigned char k = 0; k < 231; k += 77) {
        y += k;
        x ^= y << 1;
    }
    out[32 + t] = x + y;
}

void show(int *device)
{
    int host[64];
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        printf("%d%c", host[i], i % 32 == 31 ? '\n' : ' ');
}

int main()
{
    int host[64], *in, *out;
    for (int i = 0; i < 64; i++)
        host[i] = i * 37 % 53;
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    swaps<<<1, 32>>>(out);
    show(out);
    previous<<<1, 32>>>(out);
    show(out);
    last<<<1, 32>>>(in, out);
    show(out);
    nested<<<1, 32>>>(out);
    show(out);
    return 0;
}

// out: 100 101001 2102 103003 4104 105005 6106 107007 8108 109009 10110 111011 12112 113013 14114 115015 16116 117017 18118 119019 20120 121021 22122 123023 24124 125025 26126 127027 28128 129029 30130 131031
// out: -100 1100 201900 102800 104200 205100 5900 7100 207900 108800 110200 211100 11900 13100 213900 114800 116200 217100 17900 19100 219900 120800 122200 223100 23900 25100 225900 126800 128200 229100 29900 31100
// out: -32 907759 1015674 1131525 -32 907759 1015674 1131525 -32 907759 1015674 1131525 -32 907759 1015674 1131525 -32 907759 1015674 1131525 -32 907759 1015674 1131525 -32 907759 1015674 1131525 -32 907759 1015674 1131525
// out: 0 1 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181 6765 10946 17711 28657 46368 75025 121393 196418 317811 514229 832040 1346269
// out: 63042 73047 83031 263052 153052 73052 83052 263051 213052 103052 83052 63025 273051 163051 83051 63051 183050 223051 113051 63051 73051 193050 173050 63045 73050 73034 143050 123050 303052 193052 53037 93047
// out: 4197 4197 4197 4197 4197 4197 4197 4197 4198 4198 4198 4198 4198 4198 4198 4198 6101 6101 6101 6101 2101 2101 2101 2101 997 997 997 997 997 997 997 997
// out: 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018 4005037 3004033 7003018
// out: 571 572 573 574 567 568 569 570 579 580 581 582 575 576 577 578 555 556 557 558 551 552 553 554 563 564 565 566 559 560 561 562
