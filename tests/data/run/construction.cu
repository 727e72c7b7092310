// Objects are made where they stay: addresses that constructors keep are right. g++ agrees.
#include <stdio.h>
#include <string.h>
struct Self { Self *p; int v; char pad[16]; Self(int v):v(v){ init(); } void init(){ p=this; } ~Self(){ v=0; } bool ok() const { return p==this; } };
Self mk(int a){ return Self(a);}
Self mk2(int a){ return mk(a+1);}
Self named(int a){ Self s(a); s.v++; return s; }
Self two(int a){ Self s(a), t(a+1); if (a>3) return s; return t; }
struct Own { Own *p; int v; Own(int v):p(this),v(v){} Own(const Own &o):p(this),v(o.v+100){ } ~Own(){ printf("~%d %d\n", v, p==this);} bool ok() const { return p==this; } };
Own omk(int a){ return Own(a);}
Own onamed(int a){ Own s(a); s.v++; return s; }
Own otwo(int a){ Own s(a), t(a+1); if (a>3) return s; return t; }
int byval(Own o){ return o.ok()*1000+o.v; }
int byref(const Own &o){ return o.ok()*1000+o.v; }
struct Str { char buf[16]; char *p; int n; Str(const char*s):p(buf),n((int)strlen(s)){ strcpy(buf,s);} Str(const Str&o):p(buf),n(o.n){ strcpy(buf,o.p);} Str&operator=(const Str&o){ n=o.n; strcpy(p,o.p); return *this;} Str operator+(const Str&o)const{ Str r(*this); strcpy(r.p+r.n,o.p); r.n+=o.n; return r; } };
struct Node; Node *head;
struct Node { int id; Node *next; Node(int id):id(id),next(head){ head=this; } ~Node(){ head=next; } };
struct Guard { int *c; Guard(int &x):c(&x){++*c;} ~Guard(){--*c;} };
struct HasM { int cnt; Own a; Own arr[2]; Guard g; HasM():cnt(5),a(7),arr{Own(8),Own(9)},g(cnt){} bool ok(){return a.ok()&&arr[0].ok()&&arr[1].ok()&&g.c==&cnt&&cnt==6;} };
Own glob(3); Own garr[2]={Own(21),Own(22)}; Self gs=mk(4);
struct D { int a,b; D():D(1,2){} D(int x):D(x,9){b++;} D(int x,int y):a(x),b(y){} };
struct Agg { Own o; int k; };
Agg mkagg(int i){ return {Own(i), i+1}; }
Agg mkagg2(int i){ return Agg{Own(i), i+1}; }
int main(){
  Self a(1); printf("%d\n", a.ok()); Self b = mk(2); printf("%d\n", b.ok()); Self c = mk2(3); printf("%d %d\n", c.ok(), c.v);
  Self d = named(3); printf("%d %d\n", d.ok(), d.v); 
  { Own o(1); Own o2 = omk(2); Own o3 = onamed(3); printf("%d%d%d\n", o.ok(),o2.ok(),o3.ok()); Own o4 = otwo(2); Own o5 = otwo(5); printf("%d %d %d %d\n", o4.ok(),o5.ok(),o4.v,o5.v);
    Own o6 = o; printf("%d %d\n", o6.ok(), o6.v); }
  puts("val"); { Own o(1); int v1=byval(o), v2=byval(Own(5)), v3=byval(omk(6)); printf("%d %d %d\n", v1, v2, v3); printf("%d\n", byref(Own(7))); printf("%d\n", byref(7)); const Own &r = omk(11); printf("%d\n", r.ok()); }
  puts("cond"); { bool t = a.v==1; Own o = t ? Own(1) : Own(2); printf("%d %d\n", o.ok(), o.v); Own o2 = t ? o : Own(2); printf("%d %d\n", o2.ok(), o2.v); printf("%d\n", (t ? Own(30) : Own(31)).ok()); }
  puts("str"); { Str s("ab"), t("cd"); Str u = s + t; printf("%s %s\n", u.p, u.buf); u = t + s; printf("%s %d\n", u.p, u.p==u.buf); Str w[2] = {"x", Str("y")}; printf("%s%s\n", w[0].p, w[1].p); printf("%s\n", (s+t+u).p); }
  puts("node"); { Node n1(1); { Node n2(2); for (Node*p=head;p;p=p->next) printf("%d ", p->id); } Node *q=new Node(3); for (Node*p=head;p;p=p->next) printf("%d ", p->id); delete q; puts(""); printf("%d\n", head->id);}
  puts("mem"); { HasM h; printf("%d\n", h.ok()); HasM *p = new HasM(); printf("%d\n", p->ok()); delete p; HasM *q = new HasM[2]; printf("%d\n", q[1].ok()); delete[] q; }
  puts("glob"); printf("%d %d %d %d\n", glob.ok(), garr[0].ok(), garr[1].ok(), gs.ok());
  { D x; D y(4); printf("%d %d %d %d\n", x.a,x.b,y.a,y.b); }
  puts("agg"); { Agg g = {Own(40), 3}; printf("%d\n", g.o.ok()); Agg h = mkagg(41); printf("%d %d\n", h.o.ok(), h.k); Agg i = mkagg2(43); printf("%d %d\n", i.o.ok(), i.k);
   Agg arr[2] = {{Own(50),1},{Own(51),2}}; printf("%d\n", arr[1].o.ok()); }
  puts("loop"); for (int i=0;i<3;i++){ Own o(i); if (i==1) continue; printf("%d\n", o.ok()); }
  auto z = omk(60); printf("%d\n", z.ok()); Own y{61}; Own x2 = Own{62}; Own w2 = {63}; printf("%d%d%d\n", y.ok(), x2.ok(), w2.ok());
  Own *np = new Own(omk(70)); printf("%d\n", np->ok()); delete np;
  printf("%d\n", omk(80).v); printf("%d\n", Self(3).p->v);
  return 0; }
// out: 1
// out: 1
// out: 1 4
// out: 1 4
// out: 111
// out: ~3 1
// out: ~2 1
// out: ~6 1
// out: ~5 1
// out: 1 1 103 105
// out: 1 101
// out: ~101 1
// out: ~105 1
// out: ~103 1
// out: ~4 1
// out: ~2 1
// out: ~1 1
// out: val
// out: ~101 1
// out: ~5 1
// out: ~6 1
// out: 1101 1005 1006
// out: 1007
// out: ~7 1
// out: 1007
// out: ~7 1
// out: 1
// out: ~11 1
// out: ~1 1
// out: cond
// out: 1 1
// out: 1 101
// out: 1
// out: ~30 1
// out: ~101 1
// out: ~1 1
// out: str
// out: abcd abcd
// out: cdab 1
// out: xy
// out: abcdcdab
// out: node
// out: 2 1 3 1 
// out: 1
// out: mem
// out: 1
// out: 1
// out: ~9 1
// out: ~8 1
// out: ~7 1
// out: 1
// out: ~9 1
// out: ~8 1
// out: ~7 1
// out: ~9 1
// out: ~8 1
// out: ~7 1
// out: ~9 1
// out: ~8 1
// out: ~7 1
// out: glob
// out: 1 1 1 1
// out: 1 2 4 10
// out: agg
// out: 1
// out: 1 42
// out: 1 44
// out: 1
// out: ~51 1
// out: ~50 1
// out: ~43 1
// out: ~41 1
// out: ~40 1
// out: loop
// out: 1
// out: ~0 1
// out: ~1 1
// out: 1
// out: ~2 1
// out: 1
// out: 111
// out: 1
// out: ~70 1
// out: 80
// out: ~80 1
// out: 3
// out: ~63 1
// out: ~62 1
// out: ~61 1
// out: ~60 1
// out: ~22 1
// out: ~21 1
// out: ~3 1
