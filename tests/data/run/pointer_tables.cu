// Pointers in device memory: tables of rows, linked lists, structures that hold addresses.
#include <stdio.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

struct range {
    const float *from, *to;
};

__constant__ struct range ranges[2];
__device__ int *shortcut;

__global__ void rows(int **table, int n, int *out)
{
    int t = threadIdx.x;
    int *row = table[t % n];
    out[t] = row[t / n] + *table[(t + 1) % n];
    row[3] = t;
    __syncthreads();
    if (t == 0) {
        int *s = table[0];
        table[0] = table[n - 1];
        table[n - 1] = s;
        shortcut = table[1] + 1;
    }
}

__global__ void link(struct node *nodes, int n)
{
    int t = threadIdx.x;
    nodes[t].value = t * t;
    nodes[t].next = t + 7 < n ? &nodes[t + 7] : NULL;
}

__global__ void walk(struct node *nodes, int *out)
{
    int sum = 0;
    for (struct node *at = nodes + threadIdx.x; at; at = at->next)
        sum = sum * 3 + at->value;
    out[threadIdx.x] = sum + *shortcut;
}

__global__ void total(float *out)
{
    float sum = 0;
    for (const float *p = ranges[threadIdx.x & 1].from; p != ranges[threadIdx.x & 1].to; ++p)
        sum += *p;
    out[threadIdx.x] = sum;
}

int main()
{
    int host[32], *cells, *out, *row[4], **table;
    for (int i = 0; i < 32; i++)
        host[i] = i * 3;
    cudaMalloc((void **)&cells, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMalloc((void **)&table, sizeof row);
    cudaMemcpy(cells, host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < 4; i++)
        row[i] = cells + 8 * i;
    cudaMemcpy(table, row, sizeof row, cudaMemcpyHostToDevice);
    rows<<<1, 4>>>(table, 4, out);
    cudaMemcpy(host, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaMemcpy(row, table, sizeof row, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", (int)(row[0] - cells), (int)(row[1] - cells), (int)(row[2] - cells), (int)(row[3] - cells));
    cudaMemcpy(host, cells, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[3], host[11], host[19], host[27]);

    struct node *nodes;
    cudaMalloc((void **)&nodes, 24 * sizeof(struct node));
    link<<<1, 24>>>(nodes, 24);
    walk<<<1, 24>>>(nodes, out);
    cudaMemcpy(host, out, 24 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 24; i++)
        printf("%d%c", host[i], i == 23 ? '\n' : ' ');

    float reals[6] = {1, 2, 4, 8, 16, 32}, *dreals;
    cudaMalloc((void **)&dreals, sizeof reals);
    cudaMemcpy(dreals, reals, sizeof reals, cudaMemcpyHostToDevice);
    struct range r[2] = {{dreals, dreals + 2}, {dreals + 2, dreals + 6}};
    cudaMemcpyToSymbol(ranges, r, sizeof r);
    float *sums;
    cudaMalloc((void **)&sums, sizeof reals);
    total<<<1, 3>>>(sums);
    cudaMemcpy(reals, sums, sizeof reals, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", reals[0], reals[1], reals[2]);
    return 0;
}

// out: 24 72 120 72
// out: 24 8 16 0
// out: 0 1 2 3
// out: 1497 1789 2161 697 858 1045 1258 1497 1762 2053 616 714 820 934 1056 1186 1324 316 351 388 427 468 511 556
// out: 3 60 3
