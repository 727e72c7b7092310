// Enumerators with the names of types: in a structure, in `enum class`, and in the values of the next ones.
#include <cstdio>
struct h { int z; };
template <class T> struct box { T value; };
typedef int number;
struct L { enum { h = 3, next = h + 1, box }; };
enum class E : unsigned char { number = 5, twice = number * 2, h };
namespace inner { enum plain { number = 7, more = number + 1 }; int get() { return number; } }
__global__ void kernel(int *out)
{
    enum { number = 9, other = number + 1 };
    *out = L::h * 10000 + int(E::twice) * 100 + other;
}
int main()
{
    h a = {1};
    box<number> b = {2};
    int *out, c;
    cudaMalloc(&out, 4);
    kernel<<<1, 1>>>(out);
    cudaMemcpy(&c, out, 4, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", a.z, b.value, c);
    printf("%d %d %d %d %d\n", L::h, L::next, L::box, (int)E::number, (int)E::h);
    printf("%d %d\n", inner::get(), inner::more);
}

// out: 1 2 31010
// out: 3 4 5 5 11
// out: 7 8
