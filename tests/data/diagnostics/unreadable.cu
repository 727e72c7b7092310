// What cannot be read leaves its name without a meaning, in its namespace and nowhere else: what else the name stands for
// there, or outside, is not taken for it.
// options: --needed kernels
template <typename T> struct Wrap { T x; };

template <typename T> struct Form { static const int value = 1; };
template <template <typename> class C, typename T> struct Form<C<T>> { static const int value = 2; };

template <typename T> struct Shape { static const int value = 1; };
template <typename A, typename... B> struct Shape<A(B...)> { static const int value = 2; };

// It is for no type that an argument can be.
template <typename T> struct Called { static const int value = 1; };
template <typename A, typename B> struct Called<A(B)> { static const int value = 2; };

struct Base { int a; };
struct Derived { int outside; };
typedef char Width;

namespace part {
template <typename T> struct Form { static const int value = 1; };
struct Item { int x; };
template <typename T> __device__ int weigh(T x) { return 1; }
template <template <typename> class C, typename T> __device__ int weigh(C<T> x) { return 2; }
__device__ int measure(Item x) { return 1; }
template <typename... T> __device__ int measure(Item x, T... y) { return 2; }
struct Derived : Base { int inside; };
__device__ int whole(int x) { return 1; }
typedef int (Item::*Width)(int);
__device__ int widest(int x) { return sizeof(Width); } //~ error
}

namespace other {
__device__ int weigh(int x) { return 3; }
}

__global__ void not_known(int *out)
{
    Wrap<int> w;
    part::Item item;
    out[0] = Form<Wrap<int>>::value; //~ error
    out[1] = Form<int>::value;
    out[2] = Shape<int>::value; //~ error
    out[3] = part::weigh(w); //~ error
    out[4] = measure(item); //~ error
    out[5] = part::widest(1);
}

namespace part {
__global__ void nearest(int *out)
{
    Derived d; //~ error
    out[0] = 1;
}
}

__global__ void known(int *out)
{
    Derived d;
    d.outside = 1;
    out[0] = Called<int>::value + part::Form<int>::value + other::weigh(2) + part::whole(d.outside) + sizeof(Width);
}
