// __constant__ and __device__ variables: initialised, copied to and from, scalars, arrays, structures.
#include <stdio.h>

struct settings {
    int base;
    float factor;
    char name[4];
};

__constant__ int table[8] = {1, 2, 4, 8};
__constant__ float scale = 0.5f;
__constant__ double exact;
__constant__ struct settings setup = {7, 2.5f, "ab"};
__constant__ __device__ const unsigned char bytes[3] = {250, 251, 252};
__device__ int counter = 5;
__device__ int sums[4];
__device__ float grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ long long wide = -1LL << 40;
static __device__ bool flag;

__device__ int lookup(int i) { return table[i & 7]; }

__global__ void use(float *out)
{
    int t = threadIdx.x;
    out[t] = lookup(t) * scale + setup.base + setup.factor * setup.name[t & 1] + (float)exact + bytes[t % 3];
    atomicAdd(&counter, t);
    atomicAdd(&sums[t % 4], lookup(t));
    if (t < 6)
        grid[t / 3][t % 3] *= 2;
    if (t == 0) {
        wide -= 1;
        flag = true;
    }
}

int main()
{
    float host[8], *out;
    cudaMalloc((void **)&out, sizeof host);
    use<<<1, 8>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%g%c", host[i], i == 7 ? '\n' : ' ');
    int fresh[8] = {10, 20, 30, 40, 50, 60, 70, 80};
    float half = 0.25f;
    double precise = 1.5;
    struct settings other = {100, 1.0f, "A0"};
    cudaMemcpyToSymbol(table, fresh, sizeof fresh);
    cudaMemcpyToSymbol(scale, &half, sizeof half);
    cudaMemcpyToSymbol(exact, &precise, sizeof precise, 0, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(setup, &other, sizeof other);
    cudaMemcpyToSymbol(table, fresh, 2 * sizeof(int), 6 * sizeof(int));
    use<<<1, 8>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%g%c", host[i], i == 7 ? '\n' : ' ');
    int back[4], count;
    float cells[6];
    long long far;
    bool raised;
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaMemcpyFromSymbol(back, sums, sizeof back);
    cudaMemcpyFromSymbol(cells, grid, sizeof cells);
    cudaMemcpyFromSymbol(&far, wide, sizeof far);
    cudaMemcpyFromSymbol(&raised, flag, sizeof raised);
    printf("%d: %d %d %d %d\n", count, back[0], back[1], back[2], back[3]);
    printf("%g %g %g %g %g %g\n", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]);
    printf("%lld %d\n", far, raised);
    cudaMemcpyFromSymbol(back, table, sizeof back, 4 * sizeof(int));
    printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
    count = -3;
    cudaMemcpyToSymbol(counter, &count, sizeof count);
    use<<<2, 4>>>(out);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    printf("%d\n", count);
    return 0;
}

// out: 500 504 503.5 506 500.5 504 499.5 503
// out: 419 405.5 426 409.5 430 416.5 419 405.5
// out: 61: 61 82 44 68
// out: 4 8 12 16 20 24
// out: -1099511627778 1
// out: 50 60 10 20
// out: 9
