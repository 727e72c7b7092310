// Static objects of functions end in reverse order; g++ agrees.
#include <stdio.h>
struct S { int id; S(int i):id(i){ printf("+%d ", id);} ~S(){ printf("-%d\n", id);} };
S a(1); S arr[2] = {S(2), S(3)};
int get(int i){ if (i) { static S s(i); return s.id; } return 0; }
template <class T> T &single(int v){ static T t(v); return t; }
int main(){ S l(4); get(0); get(7); get(8); single<S>(9); for(int i=0;i<2;i++){ static S q(i+30); } printf("end "); return 0; }
// out: +1 +2 +3 +4 +7 +9 +30 end -4
// out: -30
// out: -9
// out: -7
// out: -3
// out: -2
// out: -1
