// Pointers that own, strings with a buffer of their own, trees: what moves and copies; g++ agrees.
#include <stdio.h>
#include <utility>
// smart pointer, list, optional, string in the style of public code
template <class T> class UniquePtr { T *p; public: explicit UniquePtr(T *p = nullptr) : p(p) {} ~UniquePtr() { delete p; } UniquePtr(const UniquePtr &) = delete; UniquePtr &operator=(const UniquePtr &) = delete; UniquePtr(UniquePtr &&o) noexcept : p(o.p) { o.p = nullptr; } UniquePtr &operator=(UniquePtr &&o) noexcept { if (this != &o) { delete p; p = o.p; o.p = nullptr; } return *this; } T *operator->() const { return p; } T &operator*() const { return *p; } explicit operator bool() const { return p != nullptr; } T *get() const { return p; } T *release() { T *r = p; p = nullptr; return r; } };
struct Big { int id; double pad[40]; Big(int i) : id(i) { for (int k = 0; k < 40; k++) pad[k] = i + k; } ~Big() { printf("~Big%d ", id); } double sum() const { double s = 0; for (double x : pad) s += x; return s; } };
template <class T> UniquePtr<T> make(int i) { return UniquePtr<T>(new T(i)); }
template <class T> UniquePtr<T> pass(UniquePtr<T> p) { return p; }
class String { char small[16]; char *data; int len; void set(const char *s, int n) { len = n; data = n < 16 ? small : new char[n + 1]; for (int i = 0; i < n; i++) data[i] = s[i]; data[n] = 0; } bool isSmall() const { return data == small; } public: String() : data(small), len(0) { small[0] = 0; } String(const char *s) { int n = 0; while (s[n]) n++; set(s, n); } String(const String &o) { set(o.data, o.len); } String(String &&o) { if (o.isSmall()) set(o.data, o.len); else { data = o.data; len = o.len; o.data = o.small; o.len = 0; } } ~String() { if (!isSmall()) delete[] data; } String &operator=(String o) { std::swap(len, o.len); bool a = isSmall(), b = o.isSmall(); char *pa = data, *pb = o.data; char tmp[16]; for (int i = 0; i < 16; i++) { tmp[i] = small[i]; small[i] = o.small[i]; o.small[i] = tmp[i]; } data = b ? small : pb; o.data = a ? o.small : pa; return *this; } String &operator+=(const String &o) { String r; r.grow(*this, o); *this = r; return *this; } void grow(const String &a, const String &b) { char buf[256]; int n = 0; for (int i = 0; i < a.len; i++) buf[n++] = a.data[i]; for (int i = 0; i < b.len; i++) buf[n++] = b.data[i]; if (!isSmall()) delete[] data; set(buf, n); } const char *c_str() const { return data; } int size() const { return len; } bool sane() const { return (len < 16) == isSmall(); } friend String operator+(String a, const String &b) { a += b; return a; } friend bool operator==(const String &a, const String &b) { if (a.len != b.len) return false; for (int i = 0; i < a.len; i++) if (a.data[i] != b.data[i]) return false; return true; } };
struct Person { String name; int age; String tags[2]; };
Person mk(const char *n, int a) { Person p = {n, a, {"x", "a much longer tag than sixteen"}}; return p; }
template <class K> struct Pair { K first, second; Pair(const K &a, const K &b) : first(a), second(b) {} };
struct Base { static int live; Base() { ++live; } Base(const Base &) { ++live; } ~Base() { --live; } };
int Base::live = 0;
struct Tree { Base b; Tree *l, *r; int v; Tree(int v) : l(0), r(0), v(v) {} ~Tree() { delete l; delete r; } void add(int x) { Tree *&t = x < v ? l : r; if (t) t->add(x); else t = new Tree(x); } int sum() const { return v + (l ? l->sum() : 0) + (r ? r->sum() : 0); } Tree(const Tree &o) : l(o.l ? new Tree(*o.l) : 0), r(o.r ? new Tree(*o.r) : 0), v(o.v) {} };
int main() {
  { UniquePtr<Big> a = make<Big>(1); UniquePtr<Big> b = std::move(a); printf("%d %d %g\n", (bool)a, b->id, b->sum()); b = make<Big>(2); a = pass(std::move(b)); printf("%d %d\n", a ? a->id : -1, b ? 1 : 0); }
  puts("");
  { String s("hello"), t = "a string that is longer than the buffer"; String u = s + ", " + t; printf("%s %d %d\n", u.c_str(), u.size(), u.sane()); s = u; t = "tiny"; printf("%s|%s|%d%d\n", s.c_str(), t.c_str(), s.sane(), t.sane()); String v(std::move(u)); printf("%s|%d\n", v.c_str(), v.sane()); printf("%d\n", v == s); Pair<String> p("k", t + "!"); Pair<String> q = p; q.first += "kk"; printf("%s %s %s %d\n", p.first.c_str(), q.first.c_str(), q.second.c_str(), q.first.sane()); }
  { Person p = mk("Ann", 3); Person q = p; q.name = "Bob the builder of long names"; p.tags[1] = q.tags[0]; Person r = mk("Cy", 9); r = q; std::swap(p, r); printf("%s %s %s %s %d %d\n", p.name.c_str(), q.name.c_str(), r.name.c_str(), r.tags[1].c_str(), p.age, p.tags[0].sane() + p.name.sane() + r.name.sane()); Person arr[2] = {mk("D", 1), p}; arr[0] = arr[1]; printf("%s %d\n", arr[0].tags[1].c_str(), arr[0].tags[1].sane()); }
  { Tree t(5); for (int i = 0; i < 10; i++) t.add(i * 7 % 10); Tree c = t; printf("%d %d %d\n", t.sum(), c.sum(), Base::live); } printf("%d\n", Base::live);
  return 0; }
// out: 0 1 820
// out: ~Big1 2 0
// out: ~Big2
// out: hello, a string that is longer than the buffer 46 1
// out: hello, a string that is longer than the buffer|tiny|11
// out: hello, a string that is longer than the buffer|1
// out: 1
// out: k kkk tiny! 1
// out: Bob the builder of long names Bob the builder of long names Ann x 3 3
// out: a much longer tag than sixteen 1
// out: 50 50 22
// out: 0
