// What is loaded after branches and loops that store beside it, to it, or to a part of it.
#include <stdio.h>

struct cell { int a, b; short low, high; long long wide; };

__global__ void arms(cell *cells, int *out, int limit)
{
    int t = threadIdx.x;
    cell &c = cells[t];
    c.a = t;
    if (t & 1)
        c.a += 10;
    else
        c.b = c.a + 1;
    out[t] = c.a * 100 + c.b;
    // A part, then the whole, then what overlaps it.
    if (t & 2)
        c.low = 7;
    c.high = (short)(c.low + t);
    out[t] += c.low + c.high;
    *(int *)&c.wide = t;
    if (t > 1)
        c.wide = 5000000000LL + t;
    out[t] += (int)(c.wide % 1000) + *(int *)&c.wide % 7;
    // The same place through a pointer that may point elsewhere.
    int *p = t < limit ? &c.a : &c.b;
    int before = c.a;
    *p = 1000;
    out[t] += c.a - before;
}

__global__ void rows(int *row, int n)
{
    // Each iteration reads what the one before stored at the next place.
    for (int i = 0; i + 1 < n; i++) {
        int first = row[i];
        row[i + 1] += first;
        row[i] = first + row[i + 1];
    }
    int *p = row;
    for (int i = 0; i < n - 1; i++, p++)
        if (p[0] > p[1])
            p[1] = p[0] - p[1];
        else
            p[0] = p[1] - p[0];
}

__global__ void sums(int *sum, int n, int wanted)
{
    // A sum in memory, in a loop with arms and an inner loop that also stores there.
    sum[0] = 1;
    sum[1] = 0;
    for (int i = 0; i < n; i++) {
        sum[0] += i;
        if (i == wanted)
            sum[1] = sum[0];
        for (int j = 0; j < i % 3; j++)
            sum[j % 2] += 1;
        if (i % 5 == 4)
            continue;
        sum[1] += sum[0] & 1;
    }
}

__global__ void own(int *out, int n)
{
    int t = threadIdx.x, stack[8], other[8];
    for (int i = 0; i < 8; i++)
        stack[i] = other[i] = i * t;
    int top = t % 4;
    for (int i = 0; i < n; i++) {
        other[top] = stack[top] + 1;
        stack[(top + 1) % 8] = other[top] + stack[top];
        top = (top + 1) % 8;
        if (stack[top] % 2)
            stack[top] = other[top];
    }
    int all = 0;
    for (int i = 0; i < 8; i++)
        all = all * 3 + stack[i] + other[7 - i];
    out[t] = all;
}

int main()
{
    cell *cells;
    int *out, *row, host[8];
    cudaMalloc((void **)&cells, 4 * sizeof *cells);
    cudaMemset(cells, 0, 4 * sizeof *cells);
    cudaMalloc((void **)&out, sizeof host);
    arms<<<1, 4>>>(cells, out, 2);
    cudaMemcpy(host, out, 4 * sizeof *host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaMalloc((void **)&row, sizeof host);
    for (int i = 0; i < 8; i++)
        host[i] = i * i - 5;
    cudaMemcpy(row, host, sizeof host, cudaMemcpyHostToDevice);
    rows<<<1, 1>>>(row, 8);
    cudaMemcpy(host, row, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%d ", host[i]);
    sums<<<1, 1>>>(out, 23, 11);
    cudaMemcpy(host, out, 2 * sizeof *host, cudaMemcpyDeviceToHost);
    printf("\n%d %d\n", host[0], host[1]);
    own<<<1, 8>>>(out, 9);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%d ", host[i]);
    printf("\n");
    return 0;
}

// out: 1001 2092 221 1321
// out: -14 5 21 8 51 75 156 56
// out: 269 84
// out: 6197 27215 49533 72295 98037 119055 141373 164135
