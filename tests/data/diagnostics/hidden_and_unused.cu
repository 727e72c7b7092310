// Warnings about names: what hides another variable, and what is declared for nothing.
#include <stdlib.h>
#include <helper_cuda.h>
#include <cuda_fp16.h>
#define SWAP(a, b) { int t = a; a = b; b = t; }

static int counter;
static int shown;
static const int limit = 3;
static int never() { return 1; }
static int once() { return shown; }
static __device__ int never_on_device(int x) { return x; }
static int order(const void *a, const void *b) { return *(int *)a - *(int *)b; }
[[maybe_unused]] static int meant() { return 1; }
static int meant_too() __attribute__((unused));
static int meant_too() { return 1; }

struct made
{
    int n;
    __device__ made(int n) : n(n) {}
    __device__ int get(int n) { return n; }
};

template <int N> __global__ void rounds(int *p)
{
    int only = 3;
    int i = N;
    if constexpr (N > 2)
        p[1] = only;
    for (int i = 0; i < N; i++)
        p[i] = i;
    p[i] = 1;
}

__global__ void warned(int *p, int n)
{
    int t = 1, set, counted = 0, read, nothing;
    set = n;
    counted++;
    for (int i = 0; i < n; i++, counted += 2)
        for (int i = 0; i < 3; i++)
            p[i]++;
    if (int n = p[0])
        p[1] = n;
    { __shared__ int n; n = 3; p[2] = n; }
    SWAP(p[0], t);
    read = n;
    p[3] = read;
}

__global__ void quiet(int *p, int n, int unused_parameter)
{
    [[maybe_unused]] int a = 3;
    int b __attribute__((unused)) = 3;
    made object(3);
    volatile int c;
    c = 3;
    for (int i = 0; i < n; i++)
        p[i] = 1;
    for (int i = 0; i < n; i++)
        p[i] = 2;
    int d;
    p[0] = (d = 3) + sizeof d;
    int limit = 2, order = 1;
    p[1] = limit + order;
}

int main()
{
    int a[3] = {3, 2, 1};
    qsort(a, 3, sizeof a[0], order);
    rounds<1><<<1, 1>>>(a);
    rounds<4><<<1, 1>>>(a);
    warned<<<1, 1>>>(a, 1);
    quiet<<<1, 1>>>(a, 1, 2);
    return once() + wanting; //~ error
}
