// Static members and enumerators behind `a<1>::` that are named as a type or a class template outside, and the integer
// types of <cstdint> that are fast or no smaller.
#include <cstdint>
#include <cstdio>
template <class T> struct size { T value; };
struct kind { int value; };
template <int N> struct traits { static constexpr int size = N * 2, kind = N + 1; };
__host__ __device__ int both() { return traits<5>::size * 100 + traits<3>::kind; }
__global__ void kernel(int *out) { *out = both() + (traits<2>::size + traits<4>::size) * 10000; }
int main()
{
    size<int> s = {traits<1>::size};
    kind k = {traits<1>::kind};
    int_fast8_t a = -1; int_fast16_t b = -2; int_least32_t c = -3; uint_least8_t d = 255; uint_fast32_t e = 7;
    int *out, h;
    cudaMalloc(&out, 4);
    kernel<<<1, 1>>>(out);
    cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", both(), h, s.value, k.value);
    printf("%d %ld %d %d %lu: %d %d %d %d %d\n", a, (long)b, c, d, (unsigned long)e, (int)sizeof a, (int)sizeof b, (int)sizeof c, (int)sizeof d, (int)sizeof e);
}

// out: 1004 121004 2 2
// out: -1 -2 -3 255 7: 1 8 4 1 8
