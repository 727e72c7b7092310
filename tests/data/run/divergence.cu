// Divergent control flow: switch, do-while, while(true) with break, continue in nested loops, returns.
#include <stdio.h>

#define THREADS 32

__device__ int collatz(int n)
{
    for (int steps = 0; true; steps++) {
        if (n == 1)
            return steps;
        if (steps > 40)
            return -n;
        n = n & 1 ? 3 * n + 1 : n >> 1;
    }
}

__device__ int find(const int *a, int n, int wanted)
{
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            continue;
        if (a[i] == wanted)
            return i;
        if (a[i] > 50) {
            int j = i;
            while (j < n) {
                if (a[j] == wanted - 1)
                    return 100 + j;
                j += 2;
            }
            break;
        }
    }
    return -1;
}

__device__ int twice(const int *a, int n, int t) { return find(a, n, t) + 2 * find(a, n, t + 1); }

__global__ void switches(int *out)
{
    int t = threadIdx.x, r = 0;
    switch (t % 7) {
    case 0:
        r += 1;
    case 1:
        r += 10;
        break;
    default:
        r += 100;
    case 4:
        if (t & 8)
            break;
        r += 1000;
    case 5:
        for (int i = 0; i < t % 5; i++) {
            switch (i) {
            case 1:
                continue;
            case 3:
                r += 50000;
                break;
            default:
                r += 10000;
            }
            if (i > 2)
                break;
        }
        break;
    case 6:
        out[t] = -t;
        return;
    }
    out[t] = r;
}

__global__ void loops(const int *in, int *out)
{
    int t = threadIdx.x, n = in[t] % 11, r = 0;
    do {
        if (n % 3 == 1)
            continue;
        r += n;
        if (r > 25)
            break;
    } while (n-- > 0);
    while (true) {
        n += 3;
        if (n > t)
            break;
        if (n % 2)
            continue;
        r += 100;
    }
    for (int a = 0; a < 5; a++) {
        if (a == (t & 3))
            continue;
        for (int b = 0; b < 5; b++) {
            if ((a + b) % 4 == t % 4)
                continue;
            if (b > a + t % 3)
                break;
            r += 1000;
        }
        if (r > 12000 + t * 100)
            break;
    }
    for (;;) {
        if (r % 5 == 0)
            break;
        r++;
    }
    out[t] = r;
}

__global__ void calls(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = collatz(t + 1) * 1000 + twice(in, 32, t * 3);
}

__global__ void guards(const int *in, int n, int *out)
{
    int i = threadIdx.x * 3 - 16, r = 0;
    if (i >= 0 && i < n && in[i] > 20)
        r = in[i];
    if (i < 0 || i >= n || in[i] % 2)
        r += 1000;
    r += i >= 0 && i < n ? in[i] : -1;
    for (int j = i; j >= 0 && j < n && in[j] != 7; j += 5)
        r += 10000;
    int k = threadIdx.x;
    while (k < n && (in[k] & 1 || k++ < 0 || in[k - 1] > 30))
        if (++k > n)
            break;
    out[threadIdx.x] = r * 100 + k;
}

__global__ void nested(const int *in, int *out)
{
    int t = threadIdx.x, r = t;
    if (t < 20) {
        if (t & 1) {
            r *= 3;
            if (in[t] > 30)
                r += 7;
            else if (in[t] > 15)
                r -= 7;
            else {
                out[t] = 77777;
                return;
            }
        } else if (t % 4) {
            for (int i = 0; i < t; i++)
                if (i & t)
                    r += i;
                else
                    r ^= i;
        }
        r += 1000;
    } else {
        while (r > 3 && in[r % 32] != 12)
            r -= (in[r % 32] & 3) + 1;
        r = t > 25 ? r * 2 : t > 22 ? r * 3 : -r;
    }
    out[t] = r;
}

void show(const char *name, int *device)
{
    int host[THREADS];
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (int i = 0; i < THREADS; i++)
        printf(" %d", host[i]);
    printf("\n");
}

int main()
{
    int host[THREADS], *in, *out;
    for (int i = 0; i < THREADS; i++)
        host[i] = (i * 29 + 3) % 61 - 4;
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    switches<<<1, THREADS>>>(out);
    show("switches", out);
    loops<<<1, THREADS>>>(in, out);
    show("loops", out);
    calls<<<1, THREADS>>>(in, out);
    show("calls", out);
    guards<<<1, THREADS>>>(in, 32, out);
    show("guards", out);
    nested<<<1, THREADS>>>(in, out);
    show("nested", out);
    return 0;
}

// out: switches: 11 10 11100 21100 71000 0 -6 11 10 100 100 0 10000 -13 11 10 11100 11100 21000 70000 -20 11 10 21100 100 0 10000 -27 11 10 100 100
// out: loops: 10000 12020 13100 9105 13030 14100 9120 11125 14205 11210 12200 14205 10130 12130 13320 9320 13305 14305 9300 11300 14425 11400 12410 14400 10405 12330 13430 9520 13520 14505 9505 11500
// out: calls: -3 997 6997 1997 4997 8259 16255 3251 19005 6001 14239 9235 9231 17227 17223 4219 12215 20211 20212 6997 6997 14997 14997 9997 22997 9997 -1336003 17997 17997 17997 -251003 4997
// out: guards: 99902 99902 99903 99921 99921 99906 5999621 2004421 5009621 5101310 4107821 3000421 3006021 2011214 2104221 1109421 99921 99918 99921 99921 99921 99922 99933 99933 99925 99933 99933 99933 99929 99933 99933 99933
// out: nested: 1000 996 1003 1002 1004 1008 1021 1014 1008 1020 1047 77777 1012 77777 1105 77777 1016 77777 1123 77777 -3 -3 -3 9 9 9 6 6 6 6 6 6
