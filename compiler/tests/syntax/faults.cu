// One report a fault, and the rest is still read.
int missing1 = 3 //~ E0203
int missing2 = 4;
struct V { int a; } //~ E0203
__device__ int after(int a) { return a } //~ E0203
__global__ void k1(float *a) {
  int i = threadIdx.x //~ E0203
  int j = 2;
  a[i = 3; //~ E0201
  a[i] = = 4; //~ E0204
  if (i > ) { a[0] = ; } else { a[1] = 2; } //~ E0204 E0204
  for (int k = 0, k < 3, k++) { a[k] = ; } //~ E0205 E0204
  foo bar = 3; //~ E0304
  foo again = bar;
  x = 3 4; //~ E0205
  do { i++ } while (i < 3) //~ E0203 E0203
  while x { a = ; } //~ E0205 E0204
  int 4a; //~ E0104
  return 09; //~ E0104
}
int unclosed(int a) { //~ E0201
  if (a) {
    return (1 + 2; //~ E0201
}
__global__ void k2(int b) { b = 'ab; } //~ E0103
__global__ void k3(int b) { printf("ab); } //~ E0103
int extra() { return 1; } } //~ E0202
int g(a b) { return 1; } //~ E0304
void h(MAT **m, double d); //~ E0304
MAT *again(MAT *m);
void v() { if (1) case 2: ; } //~ E0205
void w() { y = (unknown *)p; else x = 1; } //~ E0304 E0205
char c = 'ab', d = '\q', e = @; //~ E0105 E0105 E0101 E0204
#frob //~ E0107
#if 0
#else //~
#endif
struct { int a, } t; //~ E0203
int (*)h; //~ E0205
void last( //~ E0201
