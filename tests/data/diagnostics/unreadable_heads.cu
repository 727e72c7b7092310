// An expression in the head of a template that cannot be read leaves the template's name without a meaning.
// options: --needed kernels
struct goes {
    __device__ int go(int) const { return 1; }
    __device__ operator int() const { return 0; }
};

template <class T, class = decltype(std::unknown<T>().go(1))> __device__ int by_default(T) { return 5; }
__device__ int by_default(int) { return 6; }

template <class T> __device__ decltype(std::unknown<T>().go(1)) by_result(T) { return 5; }
__device__ int by_result(int) { return 6; }

template <class T, int = sizeof(std::unknown<T>().go(1))> __device__ int by_number(T) { return 5; }
__device__ int by_number(int) { return 6; }

template <class T> __device__ int by_body(T) { return std::unknown<T>().go(1); }
__device__ int by_body(int) { return 6; }

__global__ void not_known(int *out)
{
    goes one;
    out[0] = by_default(one); //~ error
    out[1] = by_result(one); //~ error
    out[2] = by_number(one); //~ error
    out[3] = by_body(1);
}

template <class T> __device__ int by_parameters(T x) { return 5; }
template <class T> __device__ int by_parameters(...) { return 6; }

__global__ void not_known_with_arguments(int *out)
{
    out[0] = by_parameters<int>(1); //~ error
}
