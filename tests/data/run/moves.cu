// Objects that are moved, copied and assigned member by member, placed and destroyed by hand, and static ones; g++ agrees.
#include <stdio.h>
#include <stdlib.h>
#include <new>
#include <utility>
struct M { int v; M(int v):v(v){} M(const M &o):v(o.v){printf("copy ");} M(M &&o):v(o.v){ o.v=-1; printf("move "); } M &operator=(const M &o){ v=o.v; printf("copy= "); return *this; } M &operator=(M &&o){ v=o.v; o.v=-2; printf("move= "); return *this; } ~M(){ printf("~%d ", v);} };
struct Buf { int *p; int n; explicit Buf(int n):p(new int[n]),n(n){ for(int i=0;i<n;i++) p[i]=i; } Buf(const Buf&)=delete; Buf &operator=(const Buf&)=delete; Buf(Buf &&o):p(o.p),n(o.n){ o.p=0; o.n=0; } Buf &operator=(Buf &&o){ std::swap(p,o.p); std::swap(n,o.n); return *this; } ~Buf(){ delete[] p; } int sum() const { int s=0; for(int i=0;i<n;i++) s+=p[i]; return s; } };
Buf make(int n){ Buf b(n); b.p[0]=100; return b; }
Buf pick(int n){ Buf a(n), b(n+1); if (n>3) return a; return b; }
M param(M m){ return m; }
int over(const M&){ return 1; } int over(M&&){ return 2; }
void lref(int &){ puts("l"); } void lref(int &&){ puts("r"); }
template <class T> int fw(T &&x){ x = x; return 1; }
struct Hold { int a; M m; int b:3; M arr[2]; int c[3]; Hold(int i):a(i),m(i),b(2),arr{M(i+1),M(i+2)}{ c[0]=c[1]=c[2]=i; } };
struct Plain { M m; int k; };
struct Stat { int id; Stat(int i):id(i){ printf("+%d ", id);} ~Stat(){ printf("-%d\n", id);} };
Stat g1(1);
int counter(){ static int n = over(M(1)); return ++n; }
Stat &stat(int i){ if (i==2) { static Stat a(10); return a; } static Stat b(20); return b; }
struct Uses { Uses(){ stat(3); } ~Uses(){ printf("uses\n"); } };
Uses g2;
template <class T> struct Opt { alignas(T) unsigned char raw[sizeof(T)]; bool has; Opt():has(false){} void set(const T &t){ new (raw) T(t); has=true; } T &get(){ return *reinterpret_cast<T*>(raw);} void reset(){ if(has){ get().~T(); has=false; } } ~Opt(){ reset(); } };
struct PodT { int x, y; };
int main(){
  M a(1); M b(a); M c(std::move(a)); printf("%d %d %d\n", a.v,b.v,c.v);
  b = c; b = M(7); b = std::move(c); printf("%d %d\n", b.v, c.v);
  printf("%d %d %d\n", over(a), over(std::move(a)), over(M(3)));
  { M d = param(b); printf("%d ", d.v); } puts("");
  int x = 1; lref(x); lref(2); lref(std::move(x)); fw(x);
  Buf u = make(5); printf("%d\n", u.sum()); Buf w = pick(2), z = pick(5); printf("%d %d\n", w.sum(), z.sum()); u = std::move(w); printf("%d %d\n", u.sum(), w.sum()); u = make(3); printf("%d\n", u.sum());
  puts("hold"); { Hold h(5); Hold i = h; printf("| %d %d %d %d %d %d|", i.a, i.m.v, i.b, i.arr[0].v, i.arr[1].v, i.c[2]); Hold j(8); j = i; printf("| %d %d %d %d|", j.a, j.b, j.arr[1].v, j.c[1]); } puts("");
  puts("plain"); { Plain p = {M(1), 2}; Plain q(p); Plain r = std::move(p); printf("%d %d ", q.m.v, r.m.v); std::swap(q, r); Plain arr[2] = {p, {M(4),4}}; q = arr[1]; printf("%d", q.m.v); } puts("");
  int n1 = counter(); printf("%d %d\n", n1, counter());
  stat(2); stat(3);
  { Opt<M> o; o.set(M(50)); printf("%d ", o.get().v); o.reset(); o.set(b); printf("%d ", o.get().v); } puts("");
  char *mem = (char*)malloc(64); PodT *p = new (mem) PodT; p->x = 3; PodT *q = new (mem) PodT(); printf("%d\n", q->x); int *ip = new (mem) int(5); printf("%d\n", *ip); M *mp = new ((void*)mem) M(9); mp->~M(); puts(""); typedef int I; ip->~I(); free(mem);
  Stat loc(5);
  exit(0);
}
// out: +1 +20 copy move -1 1 1
// out: copy= move= ~-2 move= 1 -2
// out: 1 2 2
// out: ~3 copy move ~-1 1 ~1
// out: l
// out: r
// out: r
// out: 110
// out: 3 10
// out: 3 110
// out: 103
// out: hold
// out: copy copy copy | 5 5 2 6 7 5|copy= copy= copy= | 5 2 7 5|~7 ~6 ~5 ~7 ~6 ~5 ~7 ~6 ~5
// out: plain
// out: copy move 1 1 move move= move= ~-2 copy copy= 4~4 ~-1 ~1 ~4 ~-1
// out: ~1 3 4
// out: +10 copy ~50 50 ~50 copy 1 ~1
// out: 0
// out: 5
// out: ~9
// out: +5 -10
// out: uses
// out: -20
// out: -1
