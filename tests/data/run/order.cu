// Ours: operands, arguments and initialisers are evaluated left to right, on both sides.
#include <stdio.h>

int trace;

int note(int digit)
{
    trace = trace * 10 + digit;
    return digit;
}

int three(int a, int b, int c) { return a * 100 + b * 10 + c; }

__device__ int count(int *at) { return ++*at; }

__device__ int join(int a, int b, int c) { return a * 100 + b * 10 + c; }

__global__ void device(int *out)
{
    int n = 0;
    out[0] = join(count(&n), count(&n), count(&n));
    n = 0;
    out[1] = count(&n) * 10 - count(&n);
    n = 0;
    int a[3] = {count(&n), count(&n), count(&n)};
    out[2] = join(a[0], a[1], a[2]);
    n = 0;
    // The right side first, then the place.
    a[count(&n)] = count(&n) * 5;
    out[3] = a[1] * 100 + a[2];
    n = 0;
    out[4] = join(n++, n++, n);
}

int main()
{
    int host[5], *out;
    cudaMalloc((void **)&out, sizeof host);
    device<<<1, 1>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", host[0], host[1], host[2], host[3], host[4]);
    int r = three(note(1), note(2), note(3));
    printf("%d %d\n", r, trace);
    trace = 0;
    r = note(1) + note(2) * note(3);
    printf("%d %d\n", r, trace);
    trace = 0;
    int a[4] = {note(1), note(2), note(3)};
    a[note(3)] = note(2);
    printf("%d %d %d\n", a[0], a[3], trace);
    int n = 0;
    printf("%d %d %d\n", n++, n++, n);
    return 0;
}

// cc: no
// out: 123 8 123 205 12
// out: 123 123
// out: 7 123
// out: 1 2 12323
// out: 0 1 2
