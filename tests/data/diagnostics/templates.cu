template <typename T>
__global__ void fill(T *a, T value)
{
    a[threadIdx.x] = value;
}

template <class T> struct holder { T value; };
template <typename... T> __device__ int count(T... values) { return 0; } //~ error
template <int N> __device__ int deep(int x) { return deep<N + 1>(x); } //~ error
template <class T> __device__ T zero() { return 0; }
template <class T> __device__ T first(T *a) { return a.x; } //~ error
template <class T, int N> __device__ int length(T (&a)[N]) { return N; }

__global__ void kernel(int *out)
{
    holder a; //~ error
    holder<int, 3> b; //~ error
    holder<5> c; //~ error
    out[0] = zero(); //~ error
    out[1] = zero<int>() + first(out) + deep<0>(1);
    out[2] = length(out); //~ error
}

int main()
{
    int *p;
    fill<<<1, 1>>>(p, 1.5f); //~ error
    static_assert(sizeof(holder<double>) == 4, "four"); //~ error
    return missing; //~ error
}
