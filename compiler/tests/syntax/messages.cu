#define BAD (1 + )
template <class T> T twice(T a) { return a + a; }
int a = 1
int b = BAD;
void f() { if (a { b = 2; } }
void g(vec3 v) { v = 3 +; }
#error stop here
