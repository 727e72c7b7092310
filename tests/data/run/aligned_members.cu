// `__align__` and `alignas` of members and of structures, the same on host and device.
#include <stdio.h>

struct members {
    char a;
    __align__(8) char b;
    alignas(16) int c;
    char d;
};

struct __align__(16) whole {
    float x;
};

__global__ void sizes(int *out, struct members *m)
{
    out[0] = sizeof(struct members);
    out[1] = (int)((char *)&m->b - (char *)m);
    out[2] = (int)((char *)&m->c - (char *)m);
    out[3] = (int)((char *)&m->d - (char *)m);
    out[4] = sizeof(whole);
    m->c = m->b + 1;
}

int main()
{
    struct members host = {1, 2, 3, 4}, *m;
    int h[5], *out;
    cudaMalloc((void **)&m, sizeof host);
    cudaMalloc((void **)&out, sizeof h);
    cudaMemcpy(m, &host, sizeof host, cudaMemcpyHostToDevice);
    sizes<<<1, 1>>>(out, m);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&host, m, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
    printf("%d %d %d %d\n", host.a, host.b, host.c, host.d);
    return 0;
}

// out: 32 8 16 20 16
// out: 1 2 3 4
