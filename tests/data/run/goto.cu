// goto: forward, backward, out of nested loops and switches, into blocks and loops, cycles with two
// entries; on both sides, threads of a warp going different ways.
#include <stdio.h>

#define BOTH __host__ __device__

BOTH int forward(int n)
{
    int r = 1;
    if (n & 1)
        goto done;
    r += 10;
    if (n & 2)
        goto done;
    r += 100;
done:
    return r * 2;
}

BOTH int backward(int n)
{
    int i = 0, sum = 0;
again:
    sum += i * i;
    if (++i <= n)
        goto again;
    return sum;
}

BOTH int out_of_loops(int n)
{
    int i, j, k = 0;
    for (i = 0; i < 10; i++)
        for (j = 0; j < 10; j++) {
            switch ((i * j + n) % 13) {
            case 7:
                if (i + j > n)
                    goto found;
            case 3:
                k++;
                break;
            default:
                while (1) {
                    if (k++ % 5 == 0)
                        break;
                    if (k > 60)
                        goto found;
                }
            }
        }
    return -k;
found:
    return 10000 * i + 100 * j + k;
}

// A loop that is entered in the middle.
BOTH int into_loop(int n)
{
    int i = n % 4, sum = 0;
    if (n % 3 == 0)
        goto middle;
    for (i = 0; i < 5; i++) {
        sum += 10;
middle:
        sum += i;
    }
    return sum;
}

// A cycle with two entries, neither above the other.
BOTH int two_entries(int n)
{
    int steps = 0, odd = 0;
    if (n % 2)
        goto b;
a:
    steps++;
    n = n * 3 + 1;
b:
    odd += n % 2;
    if (n <= 1)
        return steps * 100 + odd;
    if (n % 2)
        goto a;
    n /= 2;
    goto b;
}

// Two cycles that overlap without one inside of the other.
BOTH int overlapping(int n)
{
    int trace = 1, left = 6;
one:
    trace = trace * 3 + n % 2;
two:
    trace = trace * 5 + 1;
    if (left-- == 0)
        return trace;
    n = n * 7 + 3;
    if (n % 3 == 0)
        goto one;
    trace ^= n;
    if (n % 3 == 1)
        goto two;
    goto one;
}

// Into the sides of an `if`, and from one side to the other.
BOTH int sides(int n)
{
    int r = 0;
    switch (n % 3) {
    case 0: goto yes;
    case 1: goto no;
    }
    if (n > 4) {
        r += 1;
yes:
        r += 2;
        if (r < 5 && n % 2)
            goto no;
    } else {
        r += 10;
no:
        r += 20;
    }
    return r;
}

// Declarations that are jumped over: the variables are zero in every call.
BOTH int jumped_over(int n)
{
    int r = n;
    if (n % 2 == 0)
        goto behind;
    {
        int a[3] = {n, n, n}, b = 5;
        struct { int x, y; } p = {n, 7};
        r += 1000;
behind:
        r += a[0] + a[1] + a[2] + b + p.x + p.y;
        a[n % 3]++;
        p.y += b++;
        if (r % 4 == 1 && r < 3000) {
            r++;
            goto behind;
        }
    }
    return r;
}

// Labels and variables have names of their own, and every function its own labels.
BOTH int names(int done)
{
    int again = 0;
again:
    again += done;
    if (again < 10)
        goto again;
    goto done;
done:
    return again;
}

BOTH int inner(int n) { if (n > 3) goto out; n = -n; out: return n; }

// Calls with labels inside of a cycle of gotos.
BOTH int calls(int n)
{
    int i = 0, r = 0;
next:
    r = r * 3 + inner(i) + backward(i & 3) + jumped_over(i);
    if (i++ < n % 8)
        goto next;
    return r;
}

BOTH int all(int n, int which)
{
    switch (which) {
    case 0: return forward(n);
    case 1: return backward(n);
    case 2: return out_of_loops(n);
    case 3: return into_loop(n);
    case 4: return two_entries(n + 1);
    case 5: return overlapping(n);
    case 6: return sides(n);
    case 7: return jumped_over(n);
    case 8: return names(n + 1);
    default: return calls(n);
    }
}

#define KINDS 10
#define THREADS 40

__global__ void kernel(int *out)
{
    int t = threadIdx.x, k = 0;
next:
    out[k * THREADS + t] = all(t, k);
    if (++k < KINDS)
        goto next;
}

// A barrier in a cycle of gotos that all threads take alike.
__global__ void reduce(int *out)
{
    __shared__ int part[64];
    int t = threadIdx.x, step = 32;
    part[t] = t * t;
more:
    __syncthreads();
    if (t >= step)
        goto skip;
    part[t] += part[t + step];
skip:
    step /= 2;
    if (step)
        goto more;
    __syncthreads();
    if (t == 0)
        *out = part[0];
}

int main()
{
    static int h[KINDS * THREADS];
    int *d, sum;
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
        printf("%d: %d %d %d %u, %d wrong\n", k, all(0, k), all(5, k), all(6, k), hash, wrong);
    }
    reduce<<<1, 64>>>(d);
    cudaMemcpy(&sum, d, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            goto end;
        printf("round %d\n", i);
    }
    printf("never\n");
end:
    return 0;
}

// out: 0: 222 2 22 2540856736, 0 wrong
// out: 1: 0 55 91 2946712292, 0 wrong
// out: 2: 10463 10462 10462 3852474121, 0 wrong
// out: 3: 50 60 29 3447253629, 0 wrong
// out: 4: 1 707 506 1799268294, 0 wrong
// out: 5: 186877441 814651491 186877441 2597408653, 0 wrong
// out: 6: 2 23 2 2951274554, 0 wrong
// out: 7: 0 1182 6 689051806, 0 wrong
// out: 8: 10 12 14 1605004843, 0 wrong
// out: 9: 0 100923 302786 960267596, 0 wrong
// out: 85344
// out: round 0
