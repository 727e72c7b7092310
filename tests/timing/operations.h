// Chains of an operation of each pipe.
struct Add { static __device__ int of(int a, int b, int i) { return i % 2 ? a + b : a ^ b; } };
struct Multiply { static __device__ int of(int a, int b, int) { return a * b; } };
struct Divide { static __device__ int of(int a, int b, int) { return a / b; } };
struct AddFloat { static __device__ float of(float a, float b, int) { return a + b; } };
struct DivideFloat { static __device__ float of(float a, float b, int) { return a / b; } };
struct Special { static __device__ float of(float a, float, int) { return exp2f(a); } };
struct AddDouble { static __device__ double of(double a, double b, int) { return a + b; } };
struct DivideDouble { static __device__ double of(double a, double b, int) { return a / b; } };

template <class Operation, class T, int N> __global__ void chain(T b, T *to)
{
    T a = to[threadIdx.x];
#pragma unroll
    for (int i = 0; i < N; i++)
        a = Operation::of(a, b, i);
    to[threadIdx.x] = a;
}
