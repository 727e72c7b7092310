// Functions of class templates that are defined outside them.
#include <stdio.h>
namespace shapes {
template <class T, int n> class ring
{
    T of[n];
    int at;
public:
    typedef T value_type;
    __host__ __device__ ring(T first);
    __host__ __device__ T &next();
    __host__ __device__ T sum() const;
    __host__ __device__ T sum(T scale) const;
    __host__ __device__ ring<T, n> &operator+=(const ring<T, n> &other);
    template <class U> __host__ __device__ U scaled(U by) const;
    static __host__ __device__ int length();
};

// Made before its functions are defined.
__global__ void early(ring<int, 3> r, int *out);

template <class T, int n> __host__ __device__ ring<T, n>::ring(T first) : at(0)
{
    for (int i = 0; i < n; i++)
        of[i] = first + i;
}

template <class T, int n> __host__ __device__ T &ring<T, n>::next()
{
    at = (at + 1) % n;
    return of[at];
}

template <class A, int m> __host__ __device__ A ring<A, m>::sum() const
{
    A s = 0;
    for (int i = 0; i < m; i++)
        s += of[i];
    return s;
}

template <class T, int n> __host__ __device__ inline T ring<T, n>::sum(T scale) const { return sum() * scale; }

template <class T, int n>
__host__ __device__ ring<T, n> &ring<T, n>::operator+=(const ring<T, n> &other)
{
    for (int i = 0; i < n; i++)
        of[i] += other.of[i];
    return *this;
}

template <class T, int n> template <class U> __host__ __device__ U ring<T, n>::scaled(U by) const
{
    return by * sum();
}

template <class T, int n> __host__ __device__ int ring<T, n>::length() { return n; }

__global__ void early(ring<int, 3> r, int *out)
{
    r.next() = 10;
    r += r;
    out[threadIdx.x] = r.sum() + r.scaled(100L) + ring<int, 3>::length();
}
}

int main()
{
    int *out;
    cudaMallocManaged(&out, sizeof(int));
    shapes::ring<int, 3> r(1);
    shapes::early<<<1, 1>>>(r, out);
    cudaDeviceSynchronize();
    shapes::ring<float, 4> f(0.5f);
    f.next() += 1;
    printf("%d %g %g %g %d\n", out[0], f.sum(), f.sum(2), f.scaled(0.5), f.length());
    return 0;
}

// out: 2831 9 18 4.5 4
