// A structure's own `operator,` and unary `operator&`, beside those of the language.
#include <cstdio>
struct list {
    int *p;
    __host__ __device__ list &operator<<(int x) { *p++ = x; return *this; }
    __host__ __device__ list &operator,(int x) { *p++ = x; return *this; }
};
struct handle {
    int v;
    __host__ __device__ int operator&() { return v + 1; }
    __host__ __device__ int operator&(int mask) const { return v & mask; }
};
struct mask {
    int v;
    __host__ __device__ int operator&(int other) const { return v & other; }
};
struct a {};
struct b {};
__host__ __device__ int operator,(a, b) { return 5; }
__host__ __device__ int operator,(int x, b) { return x * 2; }
__global__ void kernel(int *out)
{
    list l{out};
    l << 1, 2, 3;
    handle h{6};
    out[3] = &h;
    out[4] = h & 3;
    out[5] = (a(), b());
}
int main()
{
    int *device, out[6], host[3];
    cudaMalloc(&device, sizeof out);
    kernel<<<1, 1>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0, n = 6; i < n; i++, n += 0) printf("%d ", out[i]);
    puts("");
    list l{host};
    l << 4, 5, 6;
    mask m{7}, *p = &m;
    printf("%d %d %d %d %d\n", host[0], host[1], host[2], p->v, m & 2);
    int x = (1, 2), y = (21, b());
    printf("%d %d %d\n", x, y, (b(), 3));
}
// out: 1 2 3 7 2 5
// out: 4 5 6 7 2
// out: 2 42 3
