// The members of a structure that a function defines hide what the function calls so; its variables are not seen inside.
#include <cstdio>
enum size { SMALL = 1, LARGE = 2 };
int total(int x, int y)
{
    const int scale = 10;
    static int calls = 0;
    struct pair {
        int x, y;
        int sum() const { return x + y; }
        int twice() { return 2 * sum(); }
        int scaled() { calls++; return x * scale; }
    };
    int sum = 3;
    pair p{x + 1, y + 1};
    return p.twice() * 1000 + p.scaled() + sum + calls;
}
__global__ void kernel(int *out, int value)
{
    int count = 7;
    struct box {
        int value;
        __device__ int count() const { return value + 1; }
        __device__ int next() const { return count() * 10 + value; }
    };
    box b{value + 1};
    *out = b.next() * 1000 + count;
}
template <class T> T largest(T a, T b)
{
    struct holder {
        T a;
        union { T b; int other; };
        T get() { return a > b ? a : b; }
    };
    holder h;
    h.a = b;
    h.b = a;
    return h.get();
}
int main()
{
    int *device, out;
    cudaMalloc(&device, 4);
    kernel<<<1, 1>>>(device, 2);
    cudaMemcpy(&out, device, 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", out, total(4, 5));
    printf("%d %g\n", largest(3, 9), largest(2.5, 1.5));
}
// out: 43007 22054
// out: 9 2.5
