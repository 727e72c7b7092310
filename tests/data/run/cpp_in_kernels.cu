// Small things of C++ in a kernel.
#include <stdio.h>
struct A { float x; __device__ __host__ A(float x = 1) : x(x) {} };
struct B { A a[3]; int n; };
__global__ void k(float *o) {
  A arr[4]; B b; __shared__ float s[2]; const int N = 3; 
  float t[N][2] = {};
  o[0] = arr[3].x + b.a[2].x + t[2][1];
  static const float tab[3] = {1, 2, 3}; o[1] = tab[threadIdx.x];
  struct local { int q; __device__ int dbl() const { return q * 2; } } l = {4}; o[2] = l.dbl();
  enum { E1 = 5, E2 }; o[3] = E2;
  unsigned char c = 200; c += 100; o[4] = c; 
  switch (int z = c & 3) { case 0: o[5] = z; break; default: o[5] = -z; }
  for (int i(0), j = 3; i < j; ++i, --j) o[6] = i;
  float d(o[0] * 2.0), m2, q = (m2 = 3, m2 + 1); o[7] = d + q;
  o[8] = float3{1, 2, 3}.y + make_float2(4, 5).x; 
  float *p = &o[9]; *p++ = 1; *p = 2; float **pp = &p; **pp += 1;
  o[11] = sizeof(B);
}
int main() { float *d, h[16] = {0}; cudaMalloc(&d, sizeof h); k<<<1, 1>>>(d); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); for (int i = 0; i < 12; i++) printf("%g ", h[i]); puts(""); }

// out: 2 1 8 6 44 0 1 8 6 1 3 16 
