// Where objects begin and end; g++ agrees.
#include <stdio.h>
struct N { int id; N(int i):id(i){ printf("+%d ",id);} N(const N&o):id(o.id*10){ printf("c%d ",id);} ~N(){ printf("-%d ",id);} N operator+(const N&o) const { return N(id+o.id); } N &operator+=(const N&o){ id+=o.id; return *this; } operator bool() const { return id>0; } bool operator<(const N&o) const { return id<o.id; } };
N f(int i){ if (i>2) return N(i); N t(i); return t; }
N g(N a, N b){ return a+b; }
const N &mx(const N&a,const N&b){ return a<b?b:a; }
struct W { N a; N b; W(int i):a(i),b(a){ } };
struct Dm { N a = N(4); N b{5}; int z = 3; };
struct Dm2 { N a = 4; int q; Dm2():q(1){} Dm2(int i):a(i){ } };
int main(){
 { N a = f(1); puts(""); N b = f(3); puts(""); N c = a+b; puts(""); N d = a + b + c; puts(""); (a + b); puts(""); if (a+b) printf("yes "); puts(""); while (N w = f(1)) { printf("w "); break; } puts("");
   for (N i(0); i < N(2); i += N(1)) printf("i "); puts(""); const N &r = mx(a, N(9)); printf("r "); puts(""); N e = (printf("x "), f(5)); puts(""); N h((N(1), N(2))); puts(""); switch (f(1) ? 1 : 0) { case 1: { N z(8); break; } } puts(""); }
 puts("|"); { W w(3); W v(w); puts(""); Dm d; puts(""); Dm e = d; puts(""); Dm2 p, q(9); puts(""); W arr[2] = {1, W(2)}; puts(""); }
 puts("|"); { N *p = new N(f(4)); N *q = new N(*p); puts(""); delete p; delete q; puts(""); }
 { bool b = true; N c = b ? f(1) : N(2); puts(""); N d = b ? c : f(2); puts(""); N e = b ? c : d; puts(""); (b ? c : d).id = 50; printf("%d ", c.id); puts(""); }
 { N arr[3] = {1, f(2), N(3)}; for (N &n : arr) n.id++; for (N n : arr) printf("%d ", n.id); puts(""); }
 goto end; end: puts("end"); return 0; }
// out: +1 c10 -1
// out: +3
// out: +13
// out: +13 +26 -13
// out: +13 -13
// out: +13 -13 yes
// out: +1 c10 -1 w -10
// out: +0 +2 -2 i +1 -1 +2 -2 i +1 -1 +2 -2 -2
// out: +9 -9 r
// out: x +5
// out: +1 +2 -1
// out: +1 c10 -1 -10 +8 -8
// out: -2 -5 -26 -13 -3 -10 |
// out: +3 c30 c30 c300
// out: +4 +5
// out: c40 c50
// out: +4 +9
// out: +1 c10 +2 c20
// out: -20 -2 -10 -1 -9 -4 -50 -40 -5 -4 -300 -30 -30 -3 |
// out: +4 c40
// out: -4 -40
// out: +1 c10 -1
// out: c100
// out: c100
// out: 50
// out: -100 -100 -50 +1 +2 c20 -2 +3 c20 20 -20 c210 210 -210 c40 40 -40
// out: -4 -21 -2 end
