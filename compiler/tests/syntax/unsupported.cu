// CUDA C++ outside the supported part: named at its place, the rest still read.
template <typename T> __global__ void tk(T *a) { a[0] = T(1); }
template <typename... T> __global__ void pack(T *... a) { } //~ E0501
template <template <class> class T> struct tt { T<int> a; }; //~ E0501
class Foo { int x; public: Foo() {} int get() { return x; } };
struct S { float x; float len() const { return x; } S operator+(S o) { return o; } };
struct V { virtual int f() { return 1; } ~V() { f(); } }; //~ E0502
struct Derived : S { int y; }; //~ E0502
namespace ns { int a; void f() {} }
using namespace std;
float3 operator+(float3 a, float3 b) { return a; }
surface<void, 2> tex; //~ E0510
__device__ float half_it(curandState h); //~ E0510
enum class Scoped : int { A, B };
std::vector<float> global; //~ E0503
map<int, float> other; //~ E0501
asm("nothing"); //~ E0505
__global__ void k1(float *a, const std::string &name) { //~ E0503
  tk<float><<<1, 2>>>(a);
  asm volatile goto("mov %0, 1;" : "=r"(i)); //~ E0505
  std::vector<float> v(3); //~ E0503
  std::deque<float> w(3); //~ E0503
  int *p = new int[10];
  delete[] p;
  for (auto x : v) { i += x; }
  Foo f; f.get();
  if (a < b && c > d) i = x<y>(z);
  d = tex3D<float>(1, 2, 3, 4); //~ E0510
  i = = 3; //~ E0204
}
