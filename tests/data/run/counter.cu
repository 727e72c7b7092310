// `__COUNTER__` counts its uses. g++ prints the same.
#include <stdio.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
namespace counter {
#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
#define UNIQUE(p) CAT(p, __COUNTER__)
#define TWICE(x) x + x
HD long test() { int UNIQUE(v) = 5; int UNIQUE(v) = 6; int a = __COUNTER__, b = __COUNTER__; int c = TWICE(__COUNTER__);
#if __COUNTER__ == 5
 a += 1000;
#endif
#ifdef __COUNTER__
 a += 20000;
#endif
 return v0 + v1 * 10 + a * 100 + b + c * 7 + __COUNTER__; }
}
HD long all(int at) {
    switch (at) {
    case 0: return counter::test();
    }
    return 0;
}
#ifdef __CUDACC__
__global__ void of_device(long *out) { out[threadIdx.x] = all(threadIdx.x); }
#endif
int main()
{
    long device[1];
#ifdef __CUDACC__
    long *out;
    cudaMalloc(&out, sizeof device);
    of_device<<<1, 1>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
#else
    for (int i = 0; i < 1; i++) device[i] = all(i);
#endif
    for (int i = 0; i < 1; i++) printf("%ld %ld\n", all(i), device[i]);
    return 0;
}

// out: 2100330 2100330
