#define A(x) A(x) B
#define B A(B)
struct s { int f(s = A(1)) { if (A(2)) L: goto }; template <class T, 
int a[A(3)] = {{{{ .x = B, (int (*