// Which of several functions a call means; g++ agrees.
#include <stdio.h>
#include <math.h>
// overloads
void f(int) { printf("int "); } void f(unsigned) { printf("unsigned "); } void f(long) { printf("long "); }
void f(float) { printf("float "); } void f(double) { printf("double "); } void f(char) { printf("char "); }
void f(const char *) { printf("cstr "); } void f(void *) { printf("void* "); } void f(bool) { printf("bool "); }
void g(const int *) { printf("cptr "); } void g(int *) { printf("ptr "); }
void h(const int &) { printf("cref "); } void h(int &) { printf("ref "); }
template <class T> void h(T *) { printf("tptr "); }
template <class T> void k(T) { printf("T "); } template <class T> void k(T *) { printf("T* "); } template <class T> void k(const T *) { printf("cT* "); }
void k(int) { printf("kint "); }
template <class T, class U> void m(T, U) { printf("TU "); } template <class T> void m(T, T) { printf("TT "); } void m(int, int) { printf("ii "); }
struct A { int v; A(int x) : v(x) {} operator int() const { return v; } };
struct B { int v; B() : v(7) {} explicit B(double d) : v((int)d) {} };
void c(A a) { printf("A%d ", a.v); }
int d(int a, int b = 5, int c = 6) { return a * 100 + b * 10 + c; }
short s = 1; unsigned char uc = 2; unsigned long ul = 3;
int main() {
  f(1); f(1u); f(1L); f(1.0f); f(1.0); f('a'); f("x"); f(s); f(uc); f(true); int i = 0; f(&i); puts("");
  const int ci = 1; g(&i); g(&ci); h(i); h(ci); h(3); h(&i); puts("");
  k(1); k(1.5); k(&i); k(&ci); k("s"); k<int>(3); puts("");
  m(1, 2); m(1.0, 2.0); m(1, 2.0); m('a', 'b'); puts("");
  c(5); A a(3); printf("%d %d %d ", a + 1, a * 2, -a); if (a) printf("true "); B b; B b2(2.7); printf("%d %d ", b.v, b2.v); puts("");
  printf("%d %d %d\n", d(1), d(1, 2), d(1, 2, 3));
  printf("%zu %zu %zu %g %g %d\n", sizeof(sqrt(1.0f)), sizeof(sqrt(1)), sizeof(fabs(-1.0f)), pow(2.0f, 3), fmax(1, 2.5f), abs(-3));
}

// out: int unsigned long float double char cstr int int bool void* 
// out: ptr cptr ref cref cref tptr 
// out: kint T T* cT* cT* T 
// out: ii TT TU TT 
// out: A5 4 6 -3 true 7 2 
// out: 156 126 123
// out: 4 8 4 8 2.5 3
