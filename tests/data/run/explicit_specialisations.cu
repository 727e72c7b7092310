// An explicit specialisation belongs to the most specialised template that makes it; what is printed is what g++ prints.
#include <stdio.h>
template <class T> struct box { T of; };
template <class T> __host__ __device__ int which(T) { return 1; }
template <class T> __host__ __device__ int which(T *) { return 2; }
template <class T> __host__ __device__ int which(const T *) { return 3; }
template <class T> __host__ __device__ int which(box<T>) { return 4; }
template <> __host__ __device__ int which(int *) { return 5; }
template <> __host__ __device__ int which(const float *) { return 6; }
template <> __host__ __device__ int which(box<long>) { return 7; }
template <> __host__ __device__ int which(short) { return 8; }
template <> __host__ __device__ int which<char>(char *) { return 9; }

template <class T> __host__ __device__ int count(T) { return 1; }
template <class T> __host__ __device__ int count(T, T) { return 2; }
template <class T, class U> __host__ __device__ int count(T, U *) { return 3; }
template <> __host__ __device__ int count(int, int) { return 4; }
template <> __host__ __device__ int count(int, int *) { return 5; }

// Declared before the template that would say more.
template <class T> __host__ __device__ int early(T) { return 1; }
template <> __host__ __device__ int early(int *) { return 2; }
template <class T> __host__ __device__ int early(T *) { return 3; }

template <class T> __host__ __device__ int refers(const T &) { return 1; }
template <class T> __host__ __device__ int refers(T *const &) { return 2; }
template <> __host__ __device__ int refers(const int &) { return 3; }
template <> __host__ __device__ int refers(int *const &) { return 4; }

__host__ __device__ void all(int *out)
{
    int i = 0, *p = &i;
    const int *constant = &i;
    float f = 0;
    const float *g = &f;
    char c = 0;
    short s = 0;
    box<int> one = {1};
    box<long> two = {2};
    int found[] = {which(p), which(&f), which(constant), which(g), which(one), which(two), which(s), which(i),
                   which(&c), which(&p), count(1), count(1, 2), count(1.0, 2.0), count(1, p), count(1, &f), early(1),
                   early(p), refers(i), refers(f), refers(p), refers(g)};
    for (int at = 0; at < 21; at++)
        out[at] = found[at];
}

__global__ void kernel(int *out) { all(out); }

int main()
{
    int *device, host[21];
    cudaMallocManaged(&device, sizeof host);
    kernel<<<1, 1>>>(device);
    cudaDeviceSynchronize();
    all(host);
    for (int at = 0; at < 21; at++)
        printf("%d%c", host[at] == device[at] ? host[at] : -1, at < 20 ? ' ' : '\n');
    return 0;
}

// out: 5 2 3 6 4 7 8 1 9 2 1 4 2 5 3 1 3 3 1 4 2
