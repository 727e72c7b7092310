// More of C++ as hosts and kernels write it; g++ agrees.
#include <stdio.h>
template <class T> struct vec2 { T x, y; };
template <class T> __host__ __device__ vec2<T> operator+(vec2<T> a, vec2<T> b) { vec2<T> r = {a.x + b.x, a.y + b.y}; return r; }
template <class T, class S> __host__ __device__ vec2<T> operator*(const vec2<T> &a, S s) { return vec2<T>{(T)(a.x * s), (T)(a.y * s)}; }
typedef vec2<float> f2;
struct ray { f2 o, d; __host__ __device__ f2 at(float t) const; };
__host__ __device__ f2 ray::at(float t) const { return o + d * t; }
class grid { public: grid(int w) : w_(w), cells_(0) {} void step(); int w() const { return w_; } private: int w_; long cells_; static int made; };
int grid::made = 3;
void grid::step() { cells_ += made; w_++; }
template <class T> class list { struct node { T v; node *next; }; node *head; public: list() : head(0) {} void add(const T &v) { node *n = (node *)malloc(sizeof(node)); n->v = v; n->next = head; head = n; } T sum() const { T s = 0; for (node *n = head; n; n = n->next) s += n->v; return s; } };
template <unsigned N> struct bits { enum { value = 1 + bits<(N >> 1)>::value }; };
template <> struct bits<0> { enum { value = 0 }; };
template <typename T> struct is_float { static constexpr bool value = false; };
template <> struct is_float<float> { static constexpr bool value = true; };
template <typename T> __host__ __device__ const char *kind(T) { if constexpr (is_float<T>::value) return "float"; else return "other"; }
extern "C" { int plain(int x); }
int plain(int x) { return x; }
static inline float lerp(float a, float b, float t = 0.5f) { return a + t * (b - a); }
enum mode { A, B, C }; inline mode operator++(mode &m, int) { mode o = m; m = (mode)((int)m + 1); return o; }
const char *names[] = {"a", "b"}; 
int main()
{
    ray r = {{1, 2}, {3, 4}}; f2 p = r.at(2); printf("%g %g\n", p.x, p.y);
    grid g(4); g.step(); printf("%d\n", g.w());
    list<int> l; l.add(3); l.add(4); printf("%d\n", l.sum());
    printf("%d %s %s %d %g %s\n", (int)bits<8>::value, kind(1.0f), kind(1), plain(2), lerp(1, 2), names[1]);
    int x = 3; auto sq = x * x; int y = 4; printf("%d %d\n", sq, y);
}

// out: 7 10
// out: 5
// out: 7
// out: 4 float other 2 1.5 b
// out: 9 4
