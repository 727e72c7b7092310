// Variables and functions with the names of structures and enumerations. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace ln2_kinds {
struct list { int v; struct list *next; }; enum color { red, green };
HD int scale(struct list *l, int list) { struct list *q = l; return list * 2 + q->v; }
HD long test() { int list = 3; struct list *q = 0; struct list s = {4, 0}; int color = 2; enum color c = green; return list * 2 + (q == 0) * 10 + scale(&s, list) * 100 + color * 3 + c * 1000 + list * s.v * 10000; }
}
namespace ln2_block {
struct item { int v; }; HD long test() { long r = 0; { int item = 5; struct item x = {2}; r = item * x.v; } item y = {7}; struct other { int k; }; { int other = 4; struct other o = {3}; r += other * o.k * 100; } other z = {1}; return r * 10 + y.v + z.k; }
}
namespace ln2_same_scope {
struct node { int v; }; HD int node2(int n) { return n; } struct stat_ { int a; }; HD int stat_(int x) { return x * 2; }
HD long test() { struct stat_ s = {3}; int n = 2; return stat_(s.a) + n * node2(4); }
}
HD long all(int at) {
    switch (at) {
    case 0: return ln2_kinds::test();
    case 1: return ln2_block::test();
    case 2: return ln2_same_scope::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[3];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 3>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 3; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 3; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 122022 122022
// out: 12108 12108
// out: 14 14
