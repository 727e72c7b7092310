// Everything here is read without a word.
#include <stdio.h>
#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)
typedef unsigned int u32;
typedef struct node { int start, count; struct node *next; } Node;
using real = float;
typedef float vec[4];
struct P { float x, y; int a[3][4]; union { int i; float f; }; struct Q { int z; } q; } gp = {1, 2, {{1,2},{3}}, .q = {4}};
enum Color { RED, GREEN = 3, BLUE };
enum { ANON = 1 << 4 };
__constant__ __device__ float coef[16];
static __device__ int counter = 0;
extern __shared__ float dyn[];
extern "C" { __global__ void ck(int *p); int q(void); }
extern "C" __global__ void __launch_bounds__(256, 2) k(const float *__restrict__ a, float * const b, u32 n, Node nodes[], P p);
__device__ __forceinline__ float sq(float x) { return x * x; }
__host__ __device__ inline int f(int (*cmp)(const void *, const void *), int a = 3) { return a; }
struct __align__(16) Vec4 { float x, y, z, w; };
typedef struct __align__(8) { int a; } A8;
__global__ void __launch_bounds__(256, 2) k(const float *__restrict__ a, float * const b, u32 n, Node nodes[], P p)
{
    __shared__ float tile[16][17];
    extern __shared__ float other[];
    unsigned long long ull = 1ull << 40; long unsigned int lu = 3;
    int i = blockIdx.x * blockDim.x + threadIdx.x, j(3), *q = &i, arr[2][3] = {{1}, {2, 3}};
    float d(sq(2.0f)), m2, z;
    dim3 g(4, 4), h(dim3(1, 2).x), s{1, 2};
    real r = float(i) + (float)j / static_cast<float>(n) - real(3);
    uint uint = 3; uint = uint + 1;
    float4 v = make_float4(1, 2, 3, 4); *reinterpret_cast<float4 *>(b) = v;
    for (int k = 0, m = 2; k < 3; k++, m--) { if (k & 1) continue; else if (m) break; else ; }
    while (i --> 0) j += i;
    do { j++; } while (j < 10);
    switch (i) { case 0: case RED + 1: j = 1; break; default: { j = 2; } case 7: ; }
    if (int w = i) j = w; else j = -w;
    int (*pa)[3] = arr; int c = sizeof(int) * sizeof i + sizeof(Node) + sizeof(int (*)[3]) + sizeof (i);
    float *pf = (float *)malloc(n * sizeof(float)); bool t = true && !false || nullptr == q;
    nodes[i].next->start = p.a[1][2] ? j : i, j <<= 2, j >>= 1;
    (void)uint;
    #pragma unroll 4
    for (;;) break;
    int dot(3); dot = dot;
    atomicAdd(&counter, 1); __syncthreads();
    (*pa)[2] = (i) + 1; int neg = - -i; int x1 = (u32)-1 + (u32)(3) + u32(4);
    const char *msg = "a" "b\n"; char ch = '\'';
    std::max(i, j); goto end; end: ;
    return;
}
int main(int argc, char **argv)
{
    k<<<dim3(4, 4), 256, 16 * sizeof(float)>>>(0, 0, 1, 0, gp);
    k<<<(1 + 255) >> 8, 256>>>(0, 0, 1, 0, gp); ck<<<1, 1>>>(0);
    CHECK(cudaMalloc(&gp, 3));
    cudaMalloc((void **)&gp, sizeof(float) * 3);
    return 0;
}
