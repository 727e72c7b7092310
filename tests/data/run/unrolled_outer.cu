// Outer loops that the source asks to unroll, around loops of unknown length.
#include <stdio.h>
__global__ void k(int *out, int n, const int *a) {
  int t = threadIdx.x, s = 0;
  #pragma unroll 4
  for (int i = 0; i < n; i++) {
    for (int j = t; j < n; j += 3) s = s * 3 + a[j] * i;
    s ^= i;
  }
  #pragma unroll
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < n; j++) { if (a[j] == i) break; s += j; }
    #pragma unroll 2
    for (int j = 0; j < n; j++) s += j * a[i];
  }
  #pragma unroll 3
  for (int i = n; i > 0; i -= 2) for (int j = i; j < i + 5; j++) s = s * 5 + a[j % n];
  out[t] = s;
}
int main() { int h[32], *o, *a; cudaMalloc(&o, 128); cudaMalloc(&a, 128);
 for (int i = 0; i < 32; i++) h[i] = i * 7 % 11;
 cudaMemcpy(a, h, 128, cudaMemcpyHostToDevice);
 for (int n = 1; n < 32; n += 5) { k<<<1,32>>>(o, n, a); cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); int s = 0; for (int i = 0; i < 32; i++) s = s * 31 + h[i]; printf("%d ", s);} printf("\n"); }

// out: 0 -827961268 -2005024281 445955024 1310967596 1889630176 -1029685931
